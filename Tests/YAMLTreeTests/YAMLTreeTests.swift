import TestTraits
import Testing

@testable import YAMLTree

@Suite("Trees of YAML", .timeLimit(.minutes(1)))
struct YAMLTreeTests {
    private static let limits = YAMLLimits(bytes: 64 << 10, nodes: 10_000, depth: 20)

    private func read(_ text: String) throws -> YAMLNode? { try YAMLTree.read(text, within: Self.limits) }

    private func problem(_ text: String) -> YAMLProblem? {
        do throws(YAMLProblem) {
            _ = try YAMLTree.read(text, within: Self.limits)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A byte order mark at the beginning is no part of the document",
        arguments: ["a: 1\nb: 2\n", "{\"a\": 1}", ""]
    )
    func byteOrderMark(text: String) throws { #expect(try read("\u{FEFF}" + text) == read(text)) }

    @Test("Values, names and lines are those of the document")
    func values() throws {
        let tree = try read("a: 1 # one\nb:\n- 'x'\n- !!str 2\n- !!int 3\nc: {d: ~}\n")
        guard case .map(let entries, 1)? = tree else { return #expect(Bool(false)) }
        #expect(entries.map(\.name) == ["a", "b", "c"] && entries.map(\.line) == [1, 2, 6])
        #expect(entries[0].value == .scalar(.init(text: "1", isPlain: true, line: 1)))
        guard case .list(let values, _) = entries[1].value else { return #expect(Bool(false)) }
        #expect(values.map(\.text) == ["x", "2", "3"])
        let plain = values.map { value in
            if case .scalar(let scalar) = value { return scalar.isPlain }
            return false
        }
        #expect(plain == [false, false, true])
        guard case .map(let inner, _) = entries[2].value else { return #expect(Bool(false)) }
        #expect(inner.first?.value.isNull == true)
        #expect(try read("") == nil && read("# nothing\n") == nil)
    }

    @Test("An alias is what it stands for, and a name given twice means the last")
    func aliases() throws {
        let tree = try read("a: &x {p: 1}\nb: *x\nc: &x 2\nd: *x\n")
        guard case .map(let entries, _)? = tree else { return #expect(Bool(false)) }
        #expect(entries[0].value == entries[1].value && entries[3].value.text == "2")
        // The name of a field can be meant as well.
        guard case .map(let named, _)? = try read("&n key: *n") else { return #expect(Bool(false)) }
        #expect(named.first?.value.text == "key")
    }

    @Test("What is no document of values is refused with its line", arguments: Wrong.texts)
    func refused(text: String, kind: YAMLProblem.Kind, line: Int) {
        #expect(problem(text) == YAMLProblem(kind, line: line), "\(text)")
    }

    @Test("Aliases upon aliases cost no more than their text", arguments: Wrong.bombs)
    func bombs(text: String, kind: String) throws {
        let found = try #require(problem(text))
        #expect("\(found.kind)".hasPrefix(kind), "\(found)")
        let seconds = threadTime { _ = problem(text) }
        #expect(seconds < 2)
    }
}

/// Texts that are refused.
private enum Wrong {
    /// With what is found in each, and its line.
    static let texts: [(text: String, kind: YAMLProblem.Kind, line: Int)] = [
        ("a: [", .syntax("did not find expected node content"), 2),
        ("a: 1\n---\nb: 2\n", .furtherDocument, 2),
        ("a: *x\n", .unknownAlias("x"), 1),
        ("a: &x [*x]\n", .unknownAlias("x"), 1),
        ("a: &x 1\n*x : 2\n", .aliasAsName("x"), 2),
        ("? [a]\n: 1\n", .nameIsNoText, 1),
        ("{a: 1, ? {b: 2} : 3}", .nameIsNoText, 1),
        ("a: 1\nb: 2\na: 3\n", .repeatedName("a"), 3),
    ]

    private static let long = String(repeating: "x", count: 30_000)

    /// Lists, each of which has the one before it in it, as values or as names.
    static func stacked(_ count: Int, _ level: (String) -> String) -> String {
        var text = "a0: &a0 [x]\n"
        for number in 1...count { text += "a\(number): &a\(number) \(level("*a\(number - 1)"))\n" }
        return text
    }

    /// Texts that come to far more than their bytes, and what is found in each.
    static let bombs: [(text: String, kind: String)] = [
        // As names, each compared by all that it stands for: 2^60 of it, or deeper than any stack.
        (stacked(60) { "{\($0) : 1, b: \($0)}" }, "aliasAsName"),
        (stacked(60) { "{? [\($0), \($0)] : 1}" }, "nameIsNoText"),
        (stacked(900) { "{? \($0) : 1}" }, "aliasAsName"),
        // As values: very many, or very deep.
        (stacked(60) { "[\($0), \($0)]" }, "tooMany"),
        (stacked(2400) { "[\($0)]" }, "tooDeep"),
        ("[\(list(of: "x", count: 10_001))]", "tooMany"),
        (String(repeating: "[", count: 60_000), "tooDeep"),
        (String(repeating: "{a: ", count: 15_000), "tooDeep"),
        (String(repeating: "? ", count: 30_000), "nameIsNoText"),
        // Much text, often.
        ("a: &a \(long)\nb: [\(list(of: "*a", count: 9000))]", "tooMuchText"),
        (String(repeating: "#", count: 65_537), "tooLong"),
    ]

    static func list(of value: String, count: Int) -> String {
        Array(repeating: value, count: count).joined(separator: ",")
    }
}
