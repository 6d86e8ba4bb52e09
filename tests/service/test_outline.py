import json
import random

from textspace.service._outline import Outline


def signs_of(body):
    """Count byte by byte."""
    count, inside, escaped = 0, False, False
    for byte in body:
        quote = byte == ord('"') and not escaped
        escaped = byte == ord("\\") and not escaped
        count += quote or not (inside or chr(byte).isspace())
        inside ^= quote
    return count


def test_signs_are_those_outside_strings_however_the_text_is_cut():
    generator = random.Random(0)
    letters = ['"', "\\", "{", "[", ",", " ", "\n", "a", "é", "😀"]
    for _ in range(300):
        texts = ["".join(generator.choices(letters, k=generator.randrange(8))) for _ in range(5)]
        value = {"texts": texts, texts[0]: [1.5, None, {texts[1]: texts[2]}], "n": -7}
        body = json.dumps(
            value, ensure_ascii=generator.random() < 0.5, indent=generator.choice([None, 2])
        ).encode()
        outline, start = Outline(), 0
        while start < len(body):
            end = start + generator.randrange(1, 9)
            outline.add(body[start:end])
            start = end
        assert outline.signs == signs_of(body)
