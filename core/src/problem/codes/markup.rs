//! Codes of the markup of `messenger_c` (D3, "after parsing").

use crate::problem::code::codes;

codes! {
    MARKUP_UNCLOSED_ENTITY = "messenger_c.markup.unclosed_entity", Error, "protocol (spec D3)", "the mark that opens a style is never closed";
    MARKUP_RESERVED_CHARACTER = "messenger_c.markup.reserved_character", Error, "protocol (spec D3)", "a reserved character stands without a backslash before it";
    MARKUP_UNCLOSED_URL = "messenger_c.markup.unclosed_url", Error, "protocol (spec D3)", "the address of a link has no closing parenthesis";
    MARKUP_CUSTOM_EMOJI = "messenger_c.markup.custom_emoji", Error, "protocol (spec D3)", "a custom emoji or a time needs its own address and identifier";
    MARKUP_UNSUPPORTED_TAG = "messenger_c.markup.unsupported_tag", Error, "protocol (spec D3)", "the channel does not know this tag; a `<` that is meant as such is written `&lt;`";
    MARKUP_UNCLOSED_TAG = "messenger_c.markup.unclosed_tag", Error, "protocol (spec D3)", "the tag is cut short or has no end tag";
    MARKUP_UNMATCHED_END_TAG = "messenger_c.markup.unmatched_end_tag", Error, "protocol (spec D3)", "the end tag does not belong to the innermost open tag";
    MARKUP_UNEXPECTED_END_TAG = "messenger_c.markup.unexpected_end_tag", Error, "protocol (spec D3)", "the end tag closes nothing";
    MARKUP_ATTRIBUTE = "messenger_c.markup.attribute", Error, "protocol (spec D3)", "an attribute has no name, or a value that needs quotes";
    MARKUP_SPAN_CLASS = "messenger_c.markup.span_class", Error, "protocol (spec D3)", "a span needs the class `tg-spoiler`";
    MARKUP_INVALID_UNICODE = "messenger_c.markup.invalid_unicode", Error, "protocol (spec D3)", "a numeric reference gives half of a surrogate pair";
    MARKUP_DATE_FORMAT = "messenger_c.markup.date_format", Error, "protocol (spec D3)", "the format of the time has letters other than `r` alone or those of tTdDwW";
    MARKUP_LINK_DROPPED = "messenger_c.markup.link_dropped", Warning, "field", "the channel does not accept the link's address: the label is sent without it";
    MARKUP_LITERAL_ENTITY = "messenger_c.markup.literal_entity", Warning, "field", "the channel knows only &lt; &gt; &amp; and &quot;: this reference is shown as it stands";
    MARKUP_WORD_UNDERSCORE = "messenger_c.markup.word_underscore", Warning, "field", "a mark inside a word opens a style and disappears";
    MARKUP_LEGACY = "messenger_c.markup.legacy", Info, "field", "`Markdown` is the legacy mode: `MarkdownV2` nests and says where it fails";
    MARKUP_NOT_PARSED = "messenger_c.markup.not_parsed", Warning, "field", "the text looks like markup, and is sent as it stands";
    MARKUP_CODE_NESTED = "messenger_c.markup.code_nested", Warning, "field", "code and another style overlap: the channel drops one of them";
    MARKUP_MANY_ENTITIES = "messenger_c.markup.many_entities", Warning, "field 100", "the text has more than 100 styles: those after lose their effect";
    MARKUP_DOUBLE_STAR = "messenger_c.markup.double_star", Warning, "field", "two stars are an empty bold here: bold is written with one";
}
