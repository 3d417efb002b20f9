import Vocabulary

/// Properties that settings of one kind have in common.
extension Keys {
    static func integer(
        _ name: String,
        _ range: ClosedRange<Int>,
        unit: String = "",
        fallback: Int,
        _ meaning: String,
        needsRestart: Bool = false
    ) -> SettingKey<Int> {
        SettingKey(
            name: name,
            type: "integer",
            unit: unit,
            fallback: "\(fallback)",
            meaning: meaning,
            expected: "an integer from \(range.lowerBound) to \(range.upperBound)",
            needsRestart: needsRestart
        ) { raw in raw.text.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil } }
    }

    static func size(
        _ name: String,
        _ range: ClosedRange<Int64>,
        unit: String,
        fallback: String,
        _ meaning: String
    ) -> SettingKey<Int64> {
        SettingKey(
            name: name,
            type: "size",
            unit: unit,
            fallback: fallback,
            meaning: meaning,
            expected: AmountText.form(from: range.lowerBound)
        ) { raw in raw.text.flatMap { AmountText.bytes($0, in: range) } }
    }

    static func duration(
        _ name: String,
        _ range: ClosedRange<Double>,
        fallback: String,
        _ meaning: String,
        needsRestart: Bool = false
    ) -> SettingKey<Double> {
        SettingKey(
            name: name,
            type: "duration",
            unit: "seconds",
            fallback: fallback,
            meaning: meaning,
            expected: DurationText.form(range),
            needsRestart: needsRestart
        ) { raw in raw.text.flatMap { DurationText.seconds($0, in: range) } }
    }

    static func durationOrForever(
        _ name: String,
        _ range: ClosedRange<Double>,
        _ meaning: String
    ) -> SettingKey<Double?> {
        SettingKey(
            name: name,
            type: "duration",
            unit: "seconds",
            fallback: "forever",
            meaning: meaning,
            expected: "forever, or \(DurationText.form(from: range.lowerBound))"
        ) { raw in
            guard raw.text != "forever" else { return .some(nil) }
            return raw.text.flatMap { DurationText.seconds($0, in: range) }.map { .some($0) }
        }
    }

    static func word<Word: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ words: Word.Type,
        fallback: Word,
        _ meaning: String,
        needsRestart: Bool = false
    ) -> SettingKey<Word> where Word.RawValue == String {
        SettingKey(
            name: name,
            type: "word",
            fallback: fallback.rawValue,
            meaning: meaning,
            expected: words.allCases.map(\.rawValue).joined(separator: ", "),
            needsRestart: needsRestart
        ) { raw in raw.text.flatMap(Word.init(rawValue:)) }
    }

    static func requestPace(_ name: String, _ meaning: String) -> SettingKey<Pace?> {
        SettingKey(
            name: name,
            type: "text",
            fallback: "none",
            meaning: meaning,
            expected: "none, or \(Pace.form)"
        ) { raw in
            guard raw.text != "none" else { return .some(nil) }
            return raw.text.flatMap(Pace.init(text:)).map { .some($0) }
        }
    }

    static func flag(_ name: String, fallback: Bool, _ meaning: String) -> SettingKey<Bool> {
        SettingKey(
            name: name,
            type: "word",
            fallback: String(fallback),
            meaning: meaning,
            expected: "true or false"
        ) { raw in raw.text.flatMap { Bool($0) } }
    }

    static func path(
        _ name: String,
        fallback: String,
        _ meaning: String,
        needsRestart: Bool = true
    ) -> SettingKey<String?> {
        SettingKey(
            name: name,
            type: "path",
            fallback: fallback,
            meaning: meaning,
            expected: "an absolute path",
            needsRestart: needsRestart
        ) { raw in
            guard let text = raw.text, !text.isEmpty else { return .some(nil) }
            guard text.hasPrefix("/"), !text.utf8.contains(0), text.utf8.count < 4096 else { return nil }
            return .some(Places.normalized(text))
        }
    }

    static func group(_ name: String, _ meaning: String) -> SettingKey<DaemonSettings.Group?> {
        SettingKey(
            name: name,
            type: "group",
            fallback: "",
            meaning: meaning,
            expected: "the name of a group that exists",
            needsRestart: true
        ) { raw in
            guard let text = raw.text, !text.isEmpty else { return .some(nil) }
            return DaemonSettings.Group(named: text).map { .some($0) }
        }
    }
}
