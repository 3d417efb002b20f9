#include "CYAMLEvents.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct CYAMLEventsReader {
    yaml_parser_t parser;
    yaml_event_t event;
    bool has_event;
    bool has_failed;
    unsigned char *bytes;
};

CYAMLEventsReader *CYAMLEvents_begin(const void *bytes, size_t length) {
    CYAMLEventsReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    // At least one byte, since nothing may be what malloc gives for none.
    reader->bytes = malloc(length + 1);
    if (!reader->bytes || !yaml_parser_initialize(&reader->parser)) {
        free(reader->bytes);
        free(reader);
        return NULL;
    }
    if (length > 0) memcpy(reader->bytes, bytes, length);
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    // Told the encoding, libyaml takes the byte order mark that some editors write for part of the document.
    size_t mark = length >= 3 && memcmp(reader->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    yaml_parser_set_input_string(&reader->parser, reader->bytes + mark, length - mark);
    return reader;
}

static void drop_event(CYAMLEventsReader *reader) {
    if (reader->has_event) yaml_event_delete(&reader->event);
    reader->has_event = false;
}

static void fail(CYAMLEventsReader *reader, CYAMLEvent *event) {
    const yaml_parser_t *parser = &reader->parser;
    reader->has_failed = true;
    event->kind = CYAMLEvents_failed;
    event->text = parser->problem ? parser->problem : "there is not enough memory";
    event->length = strlen(event->text);
    // What can't be read at all has no mark of its own.
    bool is_marked = parser->error == YAML_SCANNER_ERROR || parser->error == YAML_PARSER_ERROR;
    event->line = (is_marked ? parser->problem_mark.line : parser->mark.line) + 1;
}

void CYAMLEvents_next(CYAMLEventsReader *reader, CYAMLEvent *event) {
    for (;;) {
        *event = (CYAMLEvent){0};
        drop_event(reader);
        if (reader->has_failed || !yaml_parser_parse(&reader->parser, &reader->event)) {
            fail(reader, event);
            return;
        }
        reader->has_event = true;
        const yaml_event_t *found = &reader->event;
        event->line = found->start_mark.line + 1;
        switch (found->type) {
        case YAML_SCALAR_EVENT:
            event->kind = CYAMLEvents_scalar;
            event->text = (const char *)found->data.scalar.value;
            event->length = found->data.scalar.length;
            event->anchor = (const char *)found->data.scalar.anchor;
            event->tag = (const char *)found->data.scalar.tag;
            event->is_plain = found->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
            return;
        case YAML_ALIAS_EVENT:
            event->kind = CYAMLEvents_alias;
            event->text = (const char *)found->data.alias.anchor;
            event->length = strlen(event->text);
            return;
        case YAML_SEQUENCE_START_EVENT:
            event->kind = CYAMLEvents_list;
            event->anchor = (const char *)found->data.sequence_start.anchor;
            return;
        case YAML_MAPPING_START_EVENT:
            event->kind = CYAMLEvents_map;
            event->anchor = (const char *)found->data.mapping_start.anchor;
            return;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT: event->kind = CYAMLEvents_close; return;
        case YAML_DOCUMENT_START_EVENT: event->kind = CYAMLEvents_document; return;
        case YAML_STREAM_END_EVENT:
        case YAML_NO_EVENT: event->kind = CYAMLEvents_done; return;
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT: break;
        }
    }
}

void CYAMLEvents_end(CYAMLEventsReader *reader) {
    drop_event(reader);
    yaml_parser_delete(&reader->parser);
    free(reader->bytes);
    free(reader);
}
