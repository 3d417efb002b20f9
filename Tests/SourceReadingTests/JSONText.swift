import Foundation

/// JSON as tests look at it.
enum JSONText {
    /// The same with members sorted by name.
    static func sorted(_ text: String?) throws -> String? {
        guard let text else { return nil }
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let data = try JSONSerialization.data(
            withJSONObject: value,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return String(decoding: data, as: UTF8.self)
    }

    static func object(_ text: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    }
}
