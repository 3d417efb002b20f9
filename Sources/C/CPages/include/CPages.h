// What reads pages of sources: libjq, expat, libcsv, and gumbo behind CHTMLTree.h.
#ifndef CPAGES_H
#define CPAGES_H
#include "CHTMLTree.h"
#include <csv.h>
#include <expat.h>
#include <jq.h>
#include <jv.h>

/// The line that a parser has come to, from 1; 0 for none.
///
/// expat 2.9 deprecates the first of the functions, which may have 32 bits only.
static inline unsigned long long CExpat_current_line(XML_Parser _Nonnull parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
    return XML_GetCurrentLineNumber64(parser);
#else
    return XML_GetCurrentLineNumber(parser);
#endif
}

#endif
