"""Words that stand in every text, by language: articles, pronouns, prepositions, conjunctions, auxiliaries.

The lists are short and of our own, without words that may tell a topic or an opinion (*nicht*, *very*). The
English one is scikit-learn's.
"""

import runpy
from functools import cache
from pathlib import Path

import sklearn

_LISTS = {
    "cs": """a aby aj ale ani ano až bez by byl byla byli bylo být co což do ho i jak jako je jeho jej její
        jejich jen ještě ji jich jim jiné již jsem jsme jsou jste k kde kdo když ke která
        které který kteří ku ma mezi mi mít na nad nebo není než ni o od ode on ona oni ono
        pak po pod podle pokud pro proto před přes při s se si sice svá své svůj ta tak také
        takže tato te tedy ten tento této tím to toho tohoto tom tomu tu tuto ty u v ve však z
        za ze že""",
    "da": """af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse
        dog du efter eller en end er et for fra ham han hans har havde have hende hendes her
        hos hun hvad hvis hvor i jeg jer jo kan kunne man mange med meget men mig min mit mod
        ned noget nogle nu når og også om op os over på sig sin sit skal skulle som sådan thi
        til ud under var vi vil ville vor være været""",
    "de": """ab aber alle allem allen aller alles als also am an ander andere anderen anderer anderes auch
        auf aus bei beim bis bist da dabei dadurch daher damit dann daran darauf daraus darin
        das dass dazu dein deine dem den denen denn der deren des dessen die dies diese diesem
        diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwa
        euch euer für gegen hab habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr
        ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jene kann können
        könnte man mein meine meinem meinen meiner mich mir mit muss müssen nach noch nun nur
        ob oder sein seine seinem seinen seiner seit selbst sich sie sind so solche soll
        sollte sondern sowie um und uns unser unsere unter vom von vor war waren was weil
        welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird
        wo wobei wurde wurden während zu zum zur zwar zwischen über""",
    "es": """a al algo algunas algunos ante antes así aun aunque cada como con cual cuales cuando de del
        desde donde dos e el ella ellas ellos en entre era eran es esa esas ese eso esos esta
        estaba estado están estar estas este esto estos fue fueron ha había han hasta hay la
        las le les lo los más me mi mis mientras muy ni nos nosotros o otra otras otro otros
        para pero por porque pues que quien quienes se sea ser si sido sin sobre son su sus
        también tan te tiene tienen toda todas todo todos tu tus u un una unas uno unos usted
        y ya yo""",
    "fi": """ei eivät eli emme en et ett että he hän hänen ja jo joita joka jonka jos jota jotka jotta
        joten kanssa kuin kun kuten me mikä minun minä mitä mukaan mutta myös ne niiden niin
        niitä noin nyt näiden näin nämä ole oli olisi olivat olla on ovat saa se sekä sen
        siinä siitä sinä sitä tai te tällä tämä tämän tässä tästä tätä vaan vai voi voidaan ym
        jossa joiden joissa""",
    "fr": """a afin ai ainsi alors au aucun aussi autre autres aux avec avez avait c ce ceci cela celle
        celles celui ces cet cette ceux chaque ci comme d dans de des dont du elle elles en
        encore entre es est et étaient était été être eu fait il ils j je l la le les leur
        leurs lors lui m ma mais me mes moi mon même n ni nos notre nous on ont ou où par
        pendant peu peut peuvent plus pour pourquoi puis qu quand que quel quelle quelles
        quels qui quoi s sa sans se selon sera ses si soit son sont sous sur t ta te tel tels
        tes toi ton tous tout toute toutes tu un une vers vos votre vous y à""",
    "hu": """a abban ahhoz ahogy aki akik ami amely amelyek amelyet amikor annak arra az azok azon azt
        azzal be benne csak de e egy egyéb egyik el ez ezek ezen ezt ezzel és fel ha hanem
        hogy hogyan i ill így ilyen is itt jól kell ki le lehet lesz lett majd meg mert mi
        mint minden míg nem ő ők össze s sem ugyan úgy vagy van vannak volt át által után már
        még""",
    "it": """a ad agli ai al alla alle allo anche ancora che chi ci cioè come con contro cui da dagli dai
        dal dalla dalle de degli dei del dell della delle dello di dopo dove e è ed era erano
        essere fra gli ha hanno i il in io l la le lei li lo loro lui ma me mentre mi nei nel
        nell nella nelle nello noi nostra nostro o ogni oppure per perché però più po poi
        presso pur quale quali quando quella quelle quelli quello questa queste questi questo
        qui se sé si sia siamo sono sta su sua sue sugli sui sul sulla sulle suo suoi tra
        tramite tu tutte tutti tutto un una uno va vi viene voi vostro""",
    "nb": """alle at av begge bli ble da de dem den denne der dere deres det dette din disse du eller en er
        et ett etter for fra ha hadde han hans har her hos hun hva hvem hver hvis hvor i ikke
        inn ja jeg kan kun kunne man med meg mellom men min mot må ned noe noen nå når og også
        om opp oss over på seg selv sin sine sitt skal skulle slik som så til ut under var ved
        vi vil ville vår være vært""",
    "nl": """aan al alle als alleen andere ben bij daar dan dat de deze die dit doch doen door dus een eens
        en er ge geen haar had hebben heeft hem hen het hier hij hoe hun ik in is je kan
        kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder
        ons onze ook op over reeds te tegen toch toen tot u uit uw van veel via voor want
        waren was wat we wel welke werd wie wij wil worden wordt zal ze zelf zich zij zijn zo
        zoals zonder zou""",
    "pl": """a aby ale ani aż bardziej bez bo by być był była było były co czy dla do gdy gdzie go i ich im
        inne iż ja jak jako je jego jej jeszcze jest jeśli jeżeli już każdy kiedy kto która
        które którego której który których którym którzy lub ma mi między mnie może można mu
        na nad nawet nie niż nich nim o od on ona one oni oraz po pod podczas ponieważ poprzez
        przed przez przy się są ta tak taki także tam te tego tej ten też to tu tych tylko tym
        u w we więc wraz z za ze że""",
    "pt": """a ao aos aquela aquele às as até cada com como da das de dela dele deles depois do dos e ela
        elas ele eles em entre era essa esse esta está estão estas este estes eu foi foram há
        isso isto já lhe mais mas me mesmo meu minha muito na nas nem no nos nós num numa o os
        ou para pela pelas pelo pelos pode por porque qual quando que quem são se sem ser seu
        seus seja só sobre sua suas também te tem têm teu toda todas todo todos tu um uma umas
        uns você vocês à é""",
    "ro": """a acest această aceasta aceste acestea acești acestor acestui ai al ale am ar are ca că care
        ce cea cei cel cele cu cum da dar de deci decât din dintre după e ea ei el ele este eu
        fi fie fost fără iar în îi își îl la le lor lui mai mea mei mi mie ne nici noi nostru
        o ori orice pe pentru prin s sa sau se si să sunt sub și te tot toate tu un una unde
        unei unor unui va vă voi vor""",
    "ru": """а без более бы был была были было быть в вам вас ваш весь во вот все всего всех вы где да даже
        для до его ее ей если есть еще её ещё ж же за здесь и из или им их к как какой ко
        когда который которая которое которые которых которым которой которого кто ли либо
        между меня мне мой мы на над нас наш не него нее ней нет ни них но ну о об однако он
        она они оно от по под при про с свой свои себя со так также такой там те тем то того
        тоже той только том тот ту ты у уже чего чем что чтобы эта эти этих это этого этой
        этом этот я""",
    "sv": """alla allt att av bara blev bli blir de dem den denna deras dess dessa det detta dig din du där
        efter ej eller en er ett från för ha hade han hans har hennes hon honom hur här i icke
        in inom inte jag kan kunde man med mellan men mig min mot mycket ni nu när någon något
        några och också om oss på samma sedan sig sin sina sitt själv skulle som så till under
        upp ut utan vad var vara varit vem vi vid vilka vilken vilket vår är även åt över""",
    "tr": """acaba ama ancak aslında az bana bazı belki ben beni benim bile bir biri birkaç biz bizim böyle
        bu buna bunda bundan bunlar bunları bunu bunun çok çünkü da daha de defa diye en fakat
        gibi göre hangi hem hep her hiç için ile ise işte kadar karşı kendi kez ki kim mı mi
        mu mü nasıl ne neden nerede niye o olan olarak oldu olduğu on ona ondan onlar onları
        onu onun sana sanki sen senin siz sizin şey şu ta tarafından tüm üzere var ve veya ya
        yani yok zaten""",
    "uk": """а або адже але без би був була були було бути в вам вас ваш вже ви від він вона вони воно все
        всі всіх де для до є з за зі й його її із інші і їх кожен коли крім ли лише може ми
        мене на над нам нас не ним них ні о об однак під по при про проте та так також таки те
        ти тим то того той тому у усі хоч це цей ці цього цьому чи через що щоб як яка який
        яких якого які якщо я""",
}

STOP_WORD_LANGUAGES = ("en", *_LISTS)


def stop_words(language):
    """Give the words of a language that are left out; none where there is no list."""
    if language == "en":
        return _english()
    return frozenset(_LISTS.get(language, "").split())


@cache
def _english():
    """Give scikit-learn's list, if possible without the package around it, which takes long to load."""
    file = Path(sklearn.__file__).parent / "feature_extraction" / "_stop_words.py"
    try:
        return runpy.run_path(str(file))["ENGLISH_STOP_WORDS"]
    except (OSError, KeyError):  # in a release of scikit-learn that has it elsewhere
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return ENGLISH_STOP_WORDS
