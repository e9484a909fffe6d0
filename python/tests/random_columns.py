"""Hypothesis strategies of columns: texts, numbers and requests with nulls."""

import string

from hypothesis import strategies as st

characters = st.one_of(
    st.characters(codec="utf-8", exclude_characters="\x00"), st.sampled_from("aä€^[{ÀЖ\U0001f600*_<")
)
texts = st.lists(st.none() | st.text(characters, max_size=200), max_size=40)
numbers = st.lists(
    st.none() | st.from_regex(r"\+?[1-9][0-9]{4,14}", fullmatch=True) | st.text(max_size=5), max_size=40
)
requests = st.lists(
    st.fixed_dictionaries(
        {
            "from": st.none() | st.text(string.ascii_letters + " ", max_size=13),
            "to": st.none() | st.text(string.digits + "+", max_size=16),
            "text": st.none() | st.text(characters, max_size=20),
        }
    ),
    min_size=1,
    max_size=20,
)
