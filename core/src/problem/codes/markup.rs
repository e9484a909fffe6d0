//! Codes of the markup of `messenger_c` (D3, "after parsing").

use crate::problem::code::codes;

codes! {
    MARKUP_UNCLOSED_ENTITY = "messenger_c.markup.unclosed_entity", Error, "protocol (spec D3)", "a mark that opens a style must be closed";
    MARKUP_RESERVED_CHARACTER = "messenger_c.markup.reserved_character", Error, "protocol (spec D3)", "a reserved character must be escaped with a backslash";
    MARKUP_UNCLOSED_URL = "messenger_c.markup.unclosed_url", Error, "protocol (spec D3)", "the URL of a link must end with a closing parenthesis";
    MARKUP_CUSTOM_EMOJI = "messenger_c.markup.custom_emoji", Error, "protocol (spec D3)", "a custom emoji or a time must have its own kind of URL with a valid identifier";
    MARKUP_UNSUPPORTED_TAG = "messenger_c.markup.unsupported_tag", Error, "protocol (spec D3)", "unsupported tag; a literal `<` must be written as `&lt;`";
    MARKUP_UNCLOSED_TAG = "messenger_c.markup.unclosed_tag", Error, "protocol (spec D3)", "a tag must be complete and have an end tag";
    MARKUP_UNMATCHED_END_TAG = "messenger_c.markup.unmatched_end_tag", Error, "protocol (spec D3)", "an end tag must match the innermost open tag";
    MARKUP_UNEXPECTED_END_TAG = "messenger_c.markup.unexpected_end_tag", Error, "protocol (spec D3)", "an end tag must have a start tag";
    MARKUP_ATTRIBUTE = "messenger_c.markup.attribute", Error, "protocol (spec D3)", "an attribute must have a name, and its value may need quotes";
    MARKUP_SPAN_CLASS = "messenger_c.markup.span_class", Error, "protocol (spec D3)", "a span must have the class `tg-spoiler`";
    MARKUP_INVALID_UNICODE = "messenger_c.markup.invalid_unicode", Error, "protocol (spec D3)", "a numeric reference must not be a lone surrogate";
    MARKUP_DATE_FORMAT = "messenger_c.markup.date_format", Error, "protocol (spec D3)", "the format of a time must be `r` alone, or letters of tTdDwW";
    MARKUP_LINK_DROPPED = "messenger_c.markup.link_dropped", Warning, "field", "the channel does not accept the URL of the link and sends the label without it";
    MARKUP_LITERAL_ENTITY = "messenger_c.markup.literal_entity", Warning, "field", "the channel supports only &lt; &gt; &amp; and &quot; and shows this reference literally";
    MARKUP_WORD_UNDERSCORE = "messenger_c.markup.word_underscore", Warning, "field", "a mark inside a word opens a style and is not shown";
    MARKUP_LEGACY = "messenger_c.markup.legacy", Info, "field", "`Markdown` is the legacy mode: `MarkdownV2` supports nesting and reports errors precisely";
    MARKUP_NOT_PARSED = "messenger_c.markup.not_parsed", Warning, "field", "the text looks like markup but is sent literally";
    MARKUP_CODE_NESTED = "messenger_c.markup.code_nested", Warning, "field", "code and another style overlap: the channel drops one of them";
    MARKUP_MANY_ENTITIES = "messenger_c.markup.many_entities", Warning, "field 100", "the text has more than 100 styles: the channel ignores the rest";
    MARKUP_DOUBLE_STAR = "messenger_c.markup.double_star", Warning, "field", "two stars are an empty bold style: bold is written with one star";
}
