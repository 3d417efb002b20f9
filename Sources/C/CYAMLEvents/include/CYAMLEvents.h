#ifndef CYAMLEVENTS_H
#define CYAMLEVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The events of a document in YAML, one after the other, as libyaml finds them (yaml.org/spec/1.1),
// so that whoever makes a tree of them sees how large it gets.

typedef enum {
    CYAMLEvents_scalar = 1,
    CYAMLEvents_alias,
    CYAMLEvents_list,
    CYAMLEvents_map,
    // Of the innermost list or map.
    CYAMLEvents_close,
    // Another document begins.
    CYAMLEvents_document,
    // The text has ended.
    CYAMLEvents_done,
    // The text is no YAML; nothing comes after this.
    CYAMLEvents_failed,
} CYAMLEventKind;

typedef struct {
    CYAMLEventKind kind;
    // A scalar's text, which may have zeros in it; an alias's name; why the text is no YAML.
    const char *_Nullable text;
    size_t length;
    // The name by which aliases mean this; null if there is none.
    const char *_Nullable anchor;
    // A tag that was written, resolved; null if there is none.
    const char *_Nullable tag;
    // Whether a scalar has no quotes and is no block, so that its text may be a number.
    bool is_plain;
    // Counted from 1.
    size_t line;
} CYAMLEvent;

typedef struct CYAMLEventsReader CYAMLEventsReader;

// Begins with a text in UTF-8, of which it keeps a copy; null without memory.
CYAMLEventsReader *_Nullable CYAMLEvents_begin(const void *_Nullable bytes, size_t length);

// Gives the next event, which lasts until the one after it is asked for.
void CYAMLEvents_next(CYAMLEventsReader *_Nonnull reader, CYAMLEvent *_Nonnull event);

void CYAMLEvents_end(CYAMLEventsReader *_Nonnull reader);

#endif
