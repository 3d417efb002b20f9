import JobCore
import JobModel
import SourceCore
import Vocabulary

/// A page's content: items that can become jobs, and the next page.
struct PageContent: Sendable {
    /// Items that are wanted, in their order.
    var items: [PageItem] = []
    /// The keys of all that was listed, as far as they could be read.
    var listedKeys: [String] = []
    /// Items as they were listed.
    var listed = 0
    /// The number that couldn't be read.
    var bad = 0
    var badItems: [ListedPage.BadItem] = []
    /// The next page, its secrets unfilled.
    var next = PageReport.Next.absent
    /// The place from which a compressed list can be read on without its beginning.
    var place: CompressedPlace?
    /// The values of `more` and `total`.
    var more: Bool?
    var total: Int?
    /// Sentences about what is odd in it.
    var notes: [String] = []
    /// A sentence that says what was found in it.
    var seen: String?
    /// Sitemaps that it names.
    var children: [Slice] = []

    /// Creates the content of a page from a lister's answer.
    ///
    /// - Parameters:
    ///   - url: the page's own URL, after redirects.
    ///   - variables: what the page was asked for with.
    ///   - mask: what hides the recipe's secrets.
    init(
        _ answer: ListerAnswer,
        of recipe: Recipe,
        at url: URLReference,
        _ variables: Variables,
        mask: SecretMask = SecretMask()
    ) throws(SourceFailure) {
        let page = answer.page
        (listed, bad, badItems) = (page.listed, page.bad, page.badItems)
        (more, total) = (page.more, page.total)
        for (index, item) in answer.items.enumerated() {
            guard item.wanted != false else {
                listedKeys.append(mask.masked(item.key ?? item.url))
                continue
            }
            do throws(PageItem.Problem) {
                let known = try PageItem(item, of: recipe, at: url, variables, mask: mask)
                listedKeys.append(known.key)
                items.append(known)
            } catch {
                listedKeys.append(mask.masked(item.key ?? item.url))
                bad += 1
                if badItems.count < ListedPage.mostNamed {
                    badItems.append(.init(number: item.line ?? index + 1, message: error.message))
                }
            }
        }
        notes = page.notes ?? []
        seen = page.seen
        if !recipe.kind.isStreamed, items.isEmpty, listed > bad {
            notes.append(recipe.wordsForLeftOut(listed - bad))
        }
        // In a piece of a long list this may happen; the end of the walk reports on the whole list.
        if !recipe.kind.isStreamed, bad > 0, bad >= listed, let first = badItems.first {
            throw SourceFailure(.unexpectedShape, "no item of the page can be read: \(first.message)")
        }
        children = page.children.compactMap { child in
            let target = url.resolving(variables.withoutNumberSigns(child.url))
            guard target.isFetchable else { return nil }
            // It is filled in again when the sitemap is asked for.
            let url = variables.unfilled(target.text)
            guard url.utf8.count <= ListedItem.longestText, !mask.isNeeded(by: url) else { return nil }
            let changed = child.changed.map { mask.masked($0).limited(toBytes: ListedItem.longestText) }
            return Slice(key: url, changed: changed, url: url)
        }
        next = try Self.next(
            page,
            at: url,
            variables,
            mask,
            isStreamed: recipe.kind.isStreamed,
            posts: recipe.request != nil
        )
        if case .rows(let rows)? = page.next { place = rows.place }
    }

    /// The place of the page after one.
    fileprivate static func next(
        _ page: ListedPage,
        at url: URLReference,
        _ variables: Variables,
        _ mask: SecretMask,
        isStreamed: Bool = false,
        posts: Bool = false
    ) throws(SourceFailure) -> PageReport.Next {
        if let bucket = page.bucket {
            for text in [bucket.nextToken, bucket.nextMarker, bucket.lastKey] {
                _ = try kept(text ?? "", mask)
            }
            return S3Listing(bucket).next.map(PageReport.Next.bucket) ?? .end
        }
        switch page.next {
        case nil: return isStreamed ? .end : .absent
        case .end: return .end
        case .value(let json): return .post(url: nil, next: try kept(json, mask))
        case .rows(let rows):
            let columns = rows.columns?.map(mask.masked)
            // Both are words of our own, or a sign.
            let encoding = rows.encoding.flatMap { TextEncoding(rawValue: $0) }?.rawValue
            return .row(
                RowPosition(
                    bytes: rows.bytes,
                    line: rows.line,
                    columns: columns,
                    delimiter: rows.delimiter,
                    encoding: encoding
                )
            )
        case .query(let parameters):
            let target = url.replacingQuery(parameters.map { ($0.name, $0.value) })
            return .url(try kept(variables.unfilled(target.text), mask))
        case .url(let text):
            let target = url.resolving(variables.withoutNumberSigns(text))
            guard target.isFetchable else {
                let shown = UserInformation.masked(url: variables.unfilled(target.text)).limited(toBytes: 200)
                throw SourceFailure(.unexpectedShape, "next: \(shown) is not the URL of a page")
            }
            let place = try kept(variables.unfilled(target.text), mask)
            return posts ? .post(url: place, next: "null") : .url(place)
        }
    }

    /// The place of the next page, which is stored with each page and shown, so it can't have any length.
    private static func kept(_ text: String, _ mask: SecretMask) throws(SourceFailure) -> String {
        guard !mask.isNeeded(by: text) else {
            throw SourceFailure(
                .unexpectedShape,
                "next: the place of the next page has a secret of the source in it, which may not be stored; tell "
                    + "whoever runs the server, or give the source another secret"
            )
        }
        guard text.utf8.count <= ListedItem.longestText else {
            throw SourceFailure(
                .unexpectedShape,
                "next: the place of the next page has \(text.utf8.count) bytes, of which "
                    + "\(ListedItem.longestText) can be kept"
            )
        }
        return text
    }
}

extension SliceList {
    /// Creates a page of a list of slices from a lister's answer; `url` is its own, after redirects.
    init(
        _ answer: ListerAnswer,
        at url: URLReference,
        _ variables: Variables,
        mask: SecretMask
    ) throws(SourceFailure) {
        self.init(
            answer.items.map { Slice($0, mask: mask) },
            next: try PageContent.next(answer.page, at: url, variables, mask)
        )
        bad = answer.page.bad
        complaint = answer.page.badItems.first.map { mask.masked($0.message) }
    }
}

extension Slice {
    /// A part as a list of slices has it, without the secrets that its server may repeat.
    init(_ item: ListedItem, mask: SecretMask) {
        self.init(
            key: mask.masked(item.key ?? ""),
            changed: item.changed.map(mask.masked),
            variables: (item.variables ?? [:]).mapValues(mask.masked)
        )
    }
}

extension PageHead {
    /// Creates a head from an answer's fields about freshness and validation.
    init(_ answer: PageAnswer) {
        self.init()
        cacheControl = answer.values("cache-control")
        etag = answer.values("etag").first
        lastModified = answer.values("last-modified").first
        age = answer.values("age").first
        expires = answer.seconds("expires")
        date = answer.seconds("date")
        vary = answer.values("vary")
    }
}

extension PageReport {
    /// Creates a report on a page.
    ///
    /// - Parameter complaints: The problems of the first items that couldn't be read, without secrets.
    init(_ content: PageContent, complaints: [String] = [], new: Int, newToWalk: Int) {
        self.init(
            listed: content.listed,
            bad: content.bad,
            complaint: complaints.first,
            wanted: content.items.count,
            new: new,
            newToWalk: newToWalk,
            fingerprint: PageFingerprint(keys: content.listedKeys),
            next: content.next,
            more: content.more,
            total: content.total,
            children: content.children
        )
    }
}
