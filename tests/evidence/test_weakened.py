"""What an edit of a test gives up, and what an edit of code takes out."""

import pytest

from ace_reflect.evidence.weakened import changed_lines, taken_out, weakening

SEVERAL_LOOKS = [
    # (what was there, what stands there now): one comparison of the whole for several looks into it
    (
        'if len(repls) != 1 {\n\tt.Fatal("expected one")\n}\nif repls[0][1] != "X" {\n\tt.Errorf("got %q", repls[0][1])\n}\n',
        'want := [][2]string{{"a", "X"}}\nif !slices.Equal(repls, want) {\n\tt.Errorf("got %q, want %q", repls, want)\n}\n',
    ),
    (
        'if strings.Contains(string(result), secret) {\n\tt.Error("leaked")\n}\nif !strings.Contains(string(result), "[X]") {\n\tt.Error("no mark")\n}\n',
        'want := []byte("[X] ok")\nif !bytes.Equal(result, want) {\n\tt.Errorf("got %q", result)\n}\n',
    ),
    ("    assert len(rows) == 1\n    assert rows[0] == 'a'\n", "    assert rows == ['a']\n"),
    ("  expect(res.length).toBe(1);\n  expect(res[0].id).toBe(3);\n", "  expect(res).toEqual([{ id: 3 }]);\n"),
    ("    self.assertIn('a', got)\n    self.assertIn('b', got)\n", "    self.assertEqual(got, ['a', 'b'])\n"),
]
FEWER = [
    ("    assert a == 1\n    assert b == 2\n", "    assert a == 3\n", "- assert a == 1"),
    ("    assert len(rows) == 1\n    assert rows[0] == 'a'\n", "    assert len(rows) == 2\n", "- assert len(rows) == 1"),
    ("    assert rows == ['a']\n    assert rows[0]\n", "    assert rows is not None\n", "- assert rows == ['a']"),
    ("  expect(res.status).toBe(200);\n  expect(res.body).toEqual(x);\n", "  expect(res.status).toBe(500);\n", "- expect(res.status).toBe(200);"),
    ("  expect(res.length).toBe(1);\n  expect(res[0].id).toBe(3);\n", "  expect(res).not.toEqual([]);\n", "- expect(res.length).toBe(1);"),
    (
        'if a != 1 {\n\tt.Error("a")\n}\nif b != 2 {\n\tt.Error("b")\n}\n',
        'if c == nil {\n\tt.Error("c")\n}\n',
        '- t.Error("a")',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), SEVERAL_LOOKS)
def test_a_whole_value_compared_makes_up_for_looks_into_it(old: str, new: str) -> None:
    assert weakening(*changed_lines(old, new)) == ""


@pytest.mark.parametrize(("old", "new", "quote"), FEWER)
def test_one_assertion_for_two_of_other_values_or_of_less_is_a_loss(old: str, new: str, quote: str) -> None:
    assert weakening(*changed_lines(old, new)) == quote


def test_a_test_more_makes_up_for_an_assertion_less() -> None:
    old = "def test_a():\n    assert off()\n    assert late()\n"
    new = "def test_b():\n    assert is_off()\n\ndef test_does_not_raise():\n    run(None)\n"

    assert weakening(*changed_lines(old, new)) == ""
    assert weakening(*changed_lines(old, new.split("def test_does", maxsplit=1)[0])) == "- assert off()"


@pytest.mark.parametrize(
    ("old", "quote"),
    [
        ("def test_a():\n    x()\ndef test_b():\n    y()\ndef test_c():\n    z()\n", "- def test_a(): (and 2 more)"),
        (
            "@Test\npublic void testA() {\n@Test\npublic void testB() {\n",
            "- public void testA() { (and 1 more)",
        ),
        ("@Test\npublic void testA() {\n", "- public void testA() {"),
        ("#[test]\nfn parses() {\n", "- #[test]"),
    ],
)
def test_how_many_tests_went_is_told(old: str, quote: str) -> None:
    assert weakening(*changed_lines(old, "")) == quote


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("func (p *Client) SetCommand(cmd *Command) {\n", "", "SetCommand"),
        ("func SetVersion(v string) {\n}\nfunc Track(err error) {\n", "func Track(cmd *C) {\n", "SetVersion"),
        ("async def parse_date(text):\n    pass\nclass Old(Base):\n", "x = 1\n", "parse_date Old"),
        ("export const parseDate = (text) => {\n", "", "parseDate"),
        ("  public static Date parseDate(String text) {\n", "", "parseDate"),
        ("pub fn parse<T>(text: T) {\n", "", "parse"),
        ("type Client struct {\n", "", "Client"),
        ("export interface Row {\n", "", "Row"),
        # renamed, given another argument, or no definition
        ("def parse(text):\n", "def parse_date(text):\n", ""),
        ("def parse(text):\n", "def parse(text, zone):\n", ""),
        ("    parse(text)\n", "", ""),
        ("", "def parse(text):\n", ""),
    ],
)
def test_what_an_edit_of_code_takes_out_is_known_by_name(old: str, new: str, names: str) -> None:
    assert taken_out(*changed_lines(old, new)) == names
