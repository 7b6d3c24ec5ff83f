from slugs import slug


def test_slug():
    assert slug("A b") == "a-b"
