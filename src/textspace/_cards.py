"""What must be true of a model card that came with a file."""


def check_card(card):
    """Refuse a card, which a file may have from anyone, that does not tell what reports say of a model."""
    data, method = card.get("data"), card.get("method")
    if not (
        isinstance(data, dict)
        and isinstance(method, dict)
        and isinstance(method.get("title"), str)
        and all(isinstance(data.get(key), str | None) for key in ("name", "sha256"))
        and isinstance(data.get("classes"), dict)
        and all(size is None or type(size) is int for size in data["classes"].values())
    ):
        raise ValueError(
            "the model card does not say by which method and from what data the model was made: get its file "
            "anew, or save it with a card of make_card."
        )
