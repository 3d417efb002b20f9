#include "CHTMLTree.h"

#include <gumbo.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Memory of the tree's own, in blocks.
typedef struct Block {
    struct Block *before;
    // Where malloc would begin to give memory.
    max_align_t start[];
} Block;

enum { block_size = 1 << 18, alignment = _Alignof(max_align_t) };

// An element that is open, and the number of its next child.
typedef struct {
    const GumboNode *node;
    unsigned next;
} Step;

struct CHTMLTree {
    Block *blocks;
    char *free;
    size_t left;
    // The bytes that may still be asked for.
    size_t room;
    jmp_buf no_memory;
    Step *steps;
    size_t depth;
    size_t capacity;
};

static void *allocate(void *context, size_t size) {
    CHTMLTree *tree = context;
    if (size > tree->room) longjmp(tree->no_memory, 1);
    size = (size + alignment - 1) / alignment * alignment;
    if (size > tree->left) {
        size_t length = size > block_size ? size : block_size;
        if (length > tree->room) longjmp(tree->no_memory, 1);
        Block *block = malloc(sizeof *block + length);
        if (!block) longjmp(tree->no_memory, 1);
        block->before = tree->blocks;
        tree->blocks = block;
        tree->room -= length;
        // The rest of a block is worth more than that of one which was made to measure.
        if (size > block_size) return block->start;
        tree->free = (char *)block->start;
        tree->left = length;
    }
    void *given = tree->free;
    tree->free += size;
    tree->left -= size;
    return given;
}

// All of it is given back at once.
static void deallocate(void *context, void *given) {
    (void)context;
    (void)given;
}

// Parses into the tree; in a function of its own, so that nothing is kept in registers over a jump.
static bool parse(CHTMLTree *tree, const void *bytes, size_t length) {
    if (setjmp(tree->no_memory)) return false;
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = allocate;
    options.deallocator = deallocate;
    options.userdata = tree;
    options.max_errors = 0;
    const GumboOutput *output = gumbo_parse_with_options(&options, bytes, length);
    tree->steps[0] = (Step){.node = output->document};
    tree->depth = 1;
    return true;
}

CHTMLTree *CHTMLTree_parse(const void *bytes, size_t length, size_t most) {
    CHTMLTree *tree = calloc(1, sizeof *tree);
    if (!tree) return NULL;
    tree->room = most;
    tree->capacity = 64;
    tree->steps = malloc(tree->capacity * sizeof *tree->steps);
    if (!tree->steps || !parse(tree, bytes ? bytes : "", length)) {
        CHTMLTree_free(tree);
        return NULL;
    }
    return tree;
}

static const GumboVector *children(const GumboNode *node) {
    switch (node->type) {
    case GUMBO_NODE_DOCUMENT: return &node->v.document.children;
    case GUMBO_NODE_ELEMENT: return &node->v.element.children;
    default: return NULL;
    }
}

static bool is_picture(const GumboElement *element) {
    // Not every version knows it.
    if (strcmp(gumbo_normalized_tagname(element->tag), "picture") == 0) return true;
    if (element->tag != GUMBO_TAG_UNKNOWN) return false;
    GumboStringPiece name = element->original_tag;
    gumbo_tag_from_original_text(&name);
    return name.length == 7 && strncasecmp(name.data, "picture", 7) == 0;
}

static CHTMLElement kind(const GumboNode *node) {
    if (node->type != GUMBO_NODE_ELEMENT || node->v.element.tag_namespace != GUMBO_NAMESPACE_HTML) {
        return CHTMLElement_other;
    }
    switch (node->v.element.tag) {
    case GUMBO_TAG_BASE: return CHTMLElement_base;
    case GUMBO_TAG_TITLE: return CHTMLElement_title;
    case GUMBO_TAG_META: return CHTMLElement_meta;
    case GUMBO_TAG_LINK: return CHTMLElement_link;
    case GUMBO_TAG_A: return CHTMLElement_a;
    case GUMBO_TAG_AREA: return CHTMLElement_area;
    case GUMBO_TAG_IMG: return CHTMLElement_img;
    case GUMBO_TAG_SOURCE: return CHTMLElement_source;
    case GUMBO_TAG_SCRIPT: return CHTMLElement_script;
    default: return is_picture(&node->v.element) ? CHTMLElement_picture : CHTMLElement_other;
    }
}

// Begins with the children of a node; false without memory.
static bool descend(CHTMLTree *tree, const GumboNode *node) {
    if (tree->depth == tree->capacity) {
        Step *steps = realloc(tree->steps, 2 * tree->capacity * sizeof *steps);
        if (!steps) return false;
        tree->steps = steps;
        tree->capacity *= 2;
    }
    tree->steps[tree->depth++] = (Step){.node = node};
    return true;
}

void CHTMLTree_next(CHTMLTree *tree, CHTMLTreeEvent *event) {
    *event = (CHTMLTreeEvent){0};
    while (tree->depth > 0) {
        Step *step = &tree->steps[tree->depth - 1];
        const GumboVector *all = children(step->node);
        if (!all || step->next >= all->length) {
            tree->depth--;
            if (step->node->type == GUMBO_NODE_DOCUMENT) continue;
            event->kind = CHTMLTree_close;
            event->element = kind(step->node);
            return;
        }
        const GumboNode *child = all->data[step->next++];
        switch (child->type) {
        case GUMBO_NODE_ELEMENT:
            // Without memory, what is in it is left out.
            if (!descend(tree, child)) continue;
            event->kind = CHTMLTree_open;
            event->element = kind(child);
            event->node = child;
            return;
        case GUMBO_NODE_TEXT:
        case GUMBO_NODE_CDATA:
        case GUMBO_NODE_WHITESPACE:
            event->kind = CHTMLTree_text;
            event->text = child->v.text.text;
            return;
        default: continue;
        }
    }
}

const char *CHTMLTree_attribute(const CHTMLTreeEvent *event, const char *name) {
    const GumboNode *node = event->node;
    if (!node) return NULL;
    const GumboAttribute *found = gumbo_get_attribute(&node->v.element.attributes, name);
    return found ? found->value : NULL;
}

void CHTMLTree_free(CHTMLTree *tree) {
    for (Block *block = tree->blocks; block;) {
        Block *before = block->before;
        free(block);
        block = before;
    }
    free(tree->steps);
    free(tree);
}
