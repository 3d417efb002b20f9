import Foundation
import Synchronization
import TestSupport

/// An origin with a list of pictures in pages, which items can be put in front of at any time.
final class ListOrigin: Sendable {
    let origin: Origin
    /// The number of items on a page.
    let pageSize: Int
    /// The items' numbers, the first of the list first.
    private let items: Mutex<[Int]>
    /// Of a hundred slices, how many can't be read.
    private let trouble = Mutex(0)
    /// An answer in place of an honest page; nil answers with that.
    private let lie = Mutex<@Sendable (OriginRequest, Int) -> OriginAnswer?>({ _, _ in nil })

    init(count: Int, pageSize: Int = 10) throws {
        origin = try Origin.start()
        self.pageSize = pageSize
        items = Mutex(Array((1...max(1, count)).reversed()))
        if count == 0 { items.withLock { $0 = [] } }
        origin.serve("/list") { [weak self] request in self?.page(request) ?? OriginAnswer(404) }
        origin.serveOthers { request in
            guard request.path.hasPrefix("/picture/") else { return OriginAnswer(404) }
            return OriginFile(Array("picture \(request.path)".utf8)).answer(to: request)
        }
    }

    /// Puts so many new items in front.
    func insert(_ count: Int) {
        items.withLock { items in
            let next = (items.max() ?? 0) + 1
            items.insert(contentsOf: (next..<next + count).reversed(), at: 0)
        }
    }

    /// All items that there are.
    var all: [Int] { items.withLock { $0 } }

    /// Has pages answered otherwise; the page's number comes with the request.
    func answer(_ body: @escaping @Sendable (OriginRequest, Int) -> OriginAnswer?) {
        lie.withLock { $0 = body }
    }

    /// The value of a parameter of a request.
    static func parameter(_ name: String, of request: OriginRequest) -> String? {
        URLComponents(string: "http://h" + request.target)?.queryItems?.first { $0.name == name }?.value
    }

    static func json(_ value: Any) -> OriginAnswer {
        let body = (try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])) ?? Data()
        return OriginAnswer(200, [("Content-Type", "application/json")], body: Array(body))
    }

    private func page(_ request: OriginRequest) -> OriginAnswer {
        let number = Self.parameter("page", of: request).flatMap { Int($0) } ?? 1
        return lie.withLock { $0 }(request, number) ?? honest(number)
    }

    /// The page as an honest server has it.
    func honest(_ number: Int) -> OriginAnswer {
        let all = all
        let first = (number - 1) * pageSize
        let part = first < all.count ? Array(all[first..<min(first + pageSize, all.count)]) : []
        return Self.json([
            "items": part.map { ["id": $0, "src": "/picture/\($0).jpg"] as [String: Any] },
            "page": number, "total": all.count, "has_more": first + part.count < all.count,
        ])
    }

    /// A recipe for the list; more fields may follow.
    func recipe(_ name: String = "list", more: String = "") -> String {
        """
        name: \(name)
        url: \(origin.url("/list"))?page=1
        items: .items[]
        job: {url: .src, key: .id, meta: {id: .id}}
        next: "{page: (.page + 1)}"
        more: .has_more
        total: .total
        every: never
        \(more)
        """
    }
}

/// The same pictures as lists of other shapes.
extension ListOrigin {
    /// The number of slices.
    private static let slices = 8

    /// The items of a slice, the first of the list first.
    private func items(inSlice slice: Int) -> [Int] { all.filter { $0 % Self.slices == slice } }

    /// A recipe for the list in slices, which a manifest names; more fields may follow.
    func slicedRecipe(more: String = "") -> String {
        """
        name: list
        url: \(origin.url("/slice"))?id={id}&page=1
        slices: {url: "\(origin.url("/slices"))", each: ".slices[]", key: .id, changed: .count, vars: {id: .id}}
        items: .items[]
        job: {url: .src, key: .id}
        next: "if .has_more then {page: ($page + 1)} else null end"
        every: never
        \(more)
        """
    }

    /// A recipe for the list in slices of groups, of both of which there are several pages; more fields may follow.
    func nestedRecipe(more: String = "") -> String {
        """
        name: list
        url: \(origin.url("/slice"))?id={id}&page=1
        slices:
          url: \(origin.url("/groups"))?page=1
          each: .groups[]
          key: .id
          changed: .count
          vars: {group: .id}
          next: "if .has_more then {page: ($page + 1)} else null end"
          slices:
            url: \(origin.url("/group"))?id={group}
            each: .slices[]
            key: .id
            changed: .count
            vars: {id: .id}
            next: .next
        items: .items[]
        job: {url: .src, key: .id}
        next: "if .has_more then {page: ($page + 1)} else null end"
        every: never
        \(more)
        """
    }

    /// Has so many of a hundred slices answered with something else, at random.
    func fail(_ percent: Int) { trouble.withLock { $0 = percent } }

    /// An answer in place of that for a slice, if it is its turn: that it isn't there, or an error of another shape.
    private func refusal(_ request: OriginRequest) -> OriginAnswer? {
        guard Int.random(in: 0..<100) < trouble.withLock({ $0 }) else { return nil }
        // Of a page that the recipe counts, a 404 would be the end.
        let isFirst = Self.parameter("page", of: request) ?? "1" == "1"
        return isFirst && Bool.random() ? OriginAnswer(404) : Self.json(["error": "not today"])
    }

    /// The number of groups of slices.
    private static let groups = 4

    /// Serves the list as slices of groups.
    func serveGroups() {
        origin.serve("/groups") { [weak self] request in
            guard let self else { return OriginAnswer(404) }
            let page = Self.parameter("page", of: request).flatMap { Int($0) } ?? 1
            let numbers = Array((0..<Self.groups).dropFirst((page - 1) * 2).prefix(2))
            let groups = numbers.map { group in
                ["id": group, "count": self.all.count { $0 % Self.slices % Self.groups == group }]
            }
            return Self.json(["groups": groups, "has_more": page * 2 < Self.groups])
        }
        origin.serve("/group") { [weak self] request in
            guard let self else { return OriginAnswer(404) }
            if let refusal = self.refusal(request) { return refusal }
            let group = Self.parameter("id", of: request).flatMap { Int($0) } ?? 0
            let second = Self.parameter("second", of: request) != nil
            let slice = second ? group + Self.groups : group
            return Self.json([
                "slices": [["id": slice, "count": self.items(inSlice: slice).count]],
                "next": second ? NSNull() : "?id=\(group)&second=1" as Any,
            ])
        }
    }

    /// A recipe for the list as a compressed table; more fields may follow.
    func tableRecipe(more: String = "") -> String {
        """
        name: list
        kind: csv
        url: \(origin.url("/list.csv.gz"))
        job: {key: .id}
        every: never
        \(more)
        """
    }

    /// Serves the list in slices and as a table, too.
    func serveOtherShapes() {
        origin.serve("/slices") { [weak self] _ in
            guard let self else { return OriginAnswer(404) }
            return Self.json([
                "slices": (0..<Self.slices).map { ["id": $0, "count": self.items(inSlice: $0).count] }
            ])
        }
        origin.serve("/slice") { [weak self] request in
            guard let self else { return OriginAnswer(404) }
            if let refusal = self.refusal(request) { return refusal }
            let items = self.items(inSlice: Self.parameter("id", of: request).flatMap { Int($0) } ?? 0)
            let page = Self.parameter("page", of: request).flatMap { Int($0) } ?? 1
            let part = items.dropFirst((page - 1) * self.pageSize).prefix(self.pageSize)
            return Self.json([
                "items": part.map { ["id": $0, "src": "/picture/\($0).jpg"] as [String: Any] },
                "has_more": page * self.pageSize < items.count,
            ])
        }
        origin.serve("/list.csv.gz") { [weak self] request in
            let rows = (self?.all ?? []).map { "\($0),/picture/\($0).jpg\n" }
            guard let bytes = try? Compressed.gzip(Array(("id,url\n" + rows.joined()).utf8)) else {
                return OriginAnswer(500)
            }
            return OriginAnswer(200, body: bytes)
        }
    }
}
