"""Where each table and figure of the papers is: the experiments that measure it again."""

from experiments import EXPERIMENTS
from experiments.markdown import table

# Paper -> table or figure -> experiments, those on our settings first
PLACES = {
    "LRWMMC": {
        "Table 2": ["lrwmmc-table2", "lrwmmc-trec9", "lrwmmc-bydate"],
        "References 5 to 7": ["lrwmmc-relatives", "lrwmmc-relatives-trec9"],
        "Figure 3": ["lrwmmc-table2"],
        "Table 3": ["lrwmmc-table3", "lrwmmc-printed", "lrwmmc-bydate-kernels"],
        "Table 4": ["lrwmmc-table4", "lrwmmc-bydate-kernels"],
        "Figure 4": ["lrwmmc-fig4", "lrwmmc-fig4-counts", "lrwmmc-fig4-bydate"],
        "Section 7": ["theorems"],
    },
    "STM": {
        "Tables 3 and 4, Figures 2, 3 and 6": ["stm-table3", "stm-settings"],
        "Tables 5 and 6, Figures 4, 5 and 7": ["stm-table5"],
        "Theorem 1": ["theorems"],
    },
    "SRLS": {
        "Figure 1, Theorems 1 and 2": ["theorems"],
        "Figure 2": ["srls-fig2"],
        "Figures 3 and 4": ["srls-fig3", "srls-fig3-printed", "srls-techtc"],
        "Figure 5 (a)": ["srls-fig5", "srls-fig5-printed-news"],
        "Figure 5 (b) and (c)": ["srls-fig5", "srls-fig5-printed", "srls-rcv1"],
    },
    "KDGPP": {
        "Tables 1 and 2": ["kdgpp-table1", "kdgpp-printed", "kdgpp-printed-news"],
        "Equations 18 and 19": ["theorems"],
    },
    "SLSI": {"Tables 1 to 3": ["slsi-table1", "slsi-grid"]},
}


def command(name):
    """Give the command that runs an experiment, as code."""
    folder = " --data FOLDER" if EXPERIMENTS[name].brought else ""
    return f"`textspace reproduce {name}{folder}`"


def places_of(paper):
    """Give the tables and figures of a paper with the experiments that measure them, in Markdown."""
    rows = [[place, "; ".join(map(_shown, names))] for place, names in PLACES[paper].items()]
    return table(["in the paper", "here"], rows)


def _shown(name):
    brought = EXPERIMENTS[name].brought
    return f"{command(name)} (needs {brought})" if brought else f"[{name}](../results/{name}/table.md)"
