#ifndef CHTMLTREE_H
#define CHTMLTREE_H

#include <stdbool.h>
#include <stddef.h>

// A page of HTML as gumbo parses it (html.spec.whatwg.org §13.2), told element by element.
//
// gumbo looks at no limit, goes on without memory as if it had some, and frees a tree by recursion. Here it
// has memory of a tree's own, which ends when too much of it is asked for, and is given back as a whole.

// The elements that are told apart; of svg and math, none.
typedef enum {
    CHTMLElement_other = 0,
    CHTMLElement_base,
    CHTMLElement_title,
    CHTMLElement_meta,
    CHTMLElement_link,
    CHTMLElement_a,
    CHTMLElement_area,
    CHTMLElement_img,
    CHTMLElement_picture,
    CHTMLElement_source,
    CHTMLElement_script,
} CHTMLElement;

typedef enum {
    // The page has ended.
    CHTMLTree_done = 0,
    CHTMLTree_open,
    CHTMLTree_close,
    CHTMLTree_text,
} CHTMLTreeKind;

typedef struct {
    CHTMLTreeKind kind;
    // Of what opens and closes.
    CHTMLElement element;
    // A text; null for anything else.
    const char *_Nullable text;
    // What opens, for CHTMLTree_attribute.
    const void *_Nullable node;
} CHTMLTreeEvent;

typedef struct CHTMLTree CHTMLTree;

// Parses a text in UTF-8, which has to stay where it is; null if that takes more than so many bytes, or more
// than there are.
CHTMLTree *_Nullable CHTMLTree_parse(const void *_Nullable bytes, size_t length, size_t most);

// Gives what comes next. Templates are left out with all that is in them, since nobody sees them.
void CHTMLTree_next(CHTMLTree *_Nonnull tree, CHTMLTreeEvent *_Nonnull event);

// An attribute of an element that has opened, by its name in lower case; null if it isn't there.
const char *_Nullable CHTMLTree_attribute(const CHTMLTreeEvent *_Nonnull event, const char *_Nonnull name);

void CHTMLTree_free(CHTMLTree *_Nonnull tree);

#endif
