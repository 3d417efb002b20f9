@testable import SourceCore

/// A list of pictures somewhere, with its character: how it is paged, how it changes, and what is wrong with it.
struct SimulatedList: Hashable, Sendable, Codable {
    /// What is wrong with it while its trouble lasts.
    enum Kind: String, CaseIterable, Sendable, Codable {
        /// Nothing.
        case steady
        /// Answers 500 to half of all requests.
        case erring
        /// Answers 429, and says for how long.
        case busy
        /// Answers 429, and doesn't say for how long.
        case busyWordless
        /// Answers 403 as long as a quota is used up, and says so.
        case quota
        /// Answers 403.
        case forbidding
        /// Answers 404.
        case missing
        /// Says that it is gone for good.
        case gone
        /// Can't be reached.
        case dropping
        /// Has pages of another shape.
        case shapeless
        /// Has pages on which their reader crashes, now and then.
        case crashing
        /// Has pages that end the daemon, now and then.
        case ending
        /// Has its first page everywhere.
        case repeating
        /// Has its first page as the one after each.
        case looping
        /// Goes on behind its end with what it began with.
        case endless
    }

    /// The way to the next page.
    enum Paging: String, CaseIterable, Sendable, Codable {
        /// There is none.
        case single
        /// The recipe counts pages.
        case counted
        /// Each page names the number of the next one.
        case named
        /// Each page names its last item, after which the next one begins.
        case keyed
    }

    /// The answer to who has counted too far.
    enum PastEnd: String, CaseIterable, Sendable, Codable { case empty, missing, last }

    var number: Int
    var kind: Kind
    /// The seconds since the beginning at which its trouble begins and ends.
    var trouble: ClosedRange<Double>
    var paging: Paging
    var pastEnd = PastEnd.empty
    /// True if new items come first; otherwise they come last.
    var isNewestFirst: Bool
    var pageSize: Int
    /// The number of items at the beginning.
    var first: Int
    /// The seconds since the beginning at which one more is there, in order.
    var births: [Double]
    /// The seconds at which items go, by item.
    var deaths: [Int: Double]
    /// True if pages have an ETag, and unchanged ones aren't sent again.
    var hasTags: Bool
    /// The seconds for which a page says that it is fresh; nil if it doesn't say.
    var maxAge: Int?
    /// The number of hosts on which its pictures are, and the first of them.
    var hosts: ClosedRange<Int>
    /// What the recipe says besides.
    var rules: SimulatedRecipe

    var name: String { "list\(number)" }
    var url: String { "http://\(name).example/l" }

    /// Returns what is wrong with it at a time.
    func kind(at seconds: Double) -> Kind { trouble.contains(seconds) ? kind : .steady }

    /// Returns when an item comes and goes, in seconds.
    func life(of item: Int) -> (from: Double, to: Double) {
        (item < first ? -1 : births[item - first], deaths[item] ?? .infinity)
    }

    /// Returns the items at a time, in the order of the list.
    func items(at seconds: Double) -> [Int] {
        let there = (0..<first + births.count).filter { item in
            let life = life(of: item)
            return life.from <= seconds && seconds < life.to
        }
        return isNewestFirst ? there.reversed() : there
    }

    /// Returns whether any item goes in a time, so that others move up to pages that were read.
    func moves(from start: Double, to end: Double) -> Bool {
        paging != .keyed && deaths.values.contains { $0 > start && $0 <= end }
    }

    /// Returns the number of an item's path at its host.
    func path(of item: Int) -> Int { (number + 1) * 1_000_000 + item }

    func pictureURL(of item: Int) -> String {
        let host = hosts.lowerBound + item % hosts.count
        return "http://h\(host).example/p\(path(of: item)).jpg"
    }
}

/// What a recipe says of when its list is read, and how far.
struct SimulatedRecipe: Hashable, Sendable, Codable {
    /// The seconds between walks; nil for never again.
    var every: Double?
    var fullEvery: Double?
    var isLazy = false
    var ahead = 500
    /// The most requests in so many seconds, such as `6/h`; nil for any number.
    var pace: String?
}

extension SimulatedList {
    /// The list's recipe.
    func recipe() throws -> Recipe {
        var recipe = Recipe(name: name, url: try URLTemplate(url))
        recipe.items = ".items"
        switch paging {
        case .single: break
        case .counted: recipe.next = .expression("{page: ($page + 1)}")
        case .named, .keyed: recipe.next = .expression(".next")
        }
        recipe.order = isNewestFirst ? .newestFirst : .unknown
        recipe.mode = rules.isLazy ? .lazy : .follow
        (recipe.every, recipe.fullEvery, recipe.ahead) = (rules.every, rules.fullEvery, rules.ahead)
        (recipe.limits.pages, recipe.limits.items) = (40, 400)
        recipe.pace = rules.pace.flatMap { SourcePace($0) }
        return recipe
    }
}

extension SimulatedList: CustomStringConvertible {
    /// The list in words.
    var description: String {
        "\(name): \(kind) from \(Int(trouble.lowerBound)) to \(trouble.upperBound), \(paging), \(pastEnd), "
            + "\(isNewestFirst ? "newest first" : "newest last"), \(first) items and \(births.count) more, "
            + "\(deaths.count) go, \(pageSize) a page, tags \(hasTags), fresh for \(maxAge ?? 0) s, \(rules)"
    }
}

/// A page of a list, as it is asked for.
struct SimulatedPage {
    /// The items, and where the next page is.
    var items: [Int]
    var next: ListedPage.Next?
    /// True if it isn't what the list has there.
    var isLie = false

    /// A page of a list at a time; nil if there is none there.
    init?(of list: SimulatedList, number: Int, after item: Int?, at seconds: Double) {
        let all = list.items(at: seconds)
        let kind = list.kind(at: seconds)
        var begin = (number - 1) * list.pageSize
        if let item { begin = all.firstIndex { list.isNewestFirst ? $0 < item : $0 > item } ?? all.count }
        switch kind {
        case .repeating where list.paging != .single: (begin, isLie) = (0, true)
        case .endless where list.paging == .counted || list.paging == .named:
            if begin >= all.count { (begin, isLie) = (all.isEmpty ? 0 : begin % all.count, true) }
        default: break
        }
        let size = list.paging == .single ? all.count : list.pageSize
        if begin >= all.count, number > 1, list.paging == .counted, !isLie {
            switch list.pastEnd {
            case .empty: break
            case .missing: return nil
            case .last: begin = max(0, (all.count - 1) / list.pageSize * list.pageSize)
            }
        }
        items = Array(all.dropFirst(begin).prefix(size))
        let isLast = begin + items.count >= all.count && !isLie && kind != .endless
        switch list.paging {
        case .single: next = nil
        case .counted: next = .query([.init(name: "page", value: "\(number + 1)")])
        case .named: next = isLast ? .end : .url("\(list.url)?page=\(number + 1)")
        case .keyed: next = isLast ? .end : .url("\(list.url)?after=\(items.last ?? 0)")
        }
        if kind == .looping, list.paging == .named || list.paging == .keyed {
            (next, isLie) = (.url(list.url), true)
        }
    }
}
