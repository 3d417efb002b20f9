import ArgumentParser
import ControlAPI
import Vocabulary

extension JobState: ExpressibleByArgument {
    /// All cases as a list, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension DetectionOutcome: ExpressibleByArgument {
    /// All cases as a list, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension ListOrder.Key: ExpressibleByArgument {
    /// All cases as a list, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension DetectionEngine: ExpressibleByArgument {
    /// All cases as a list, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: " or ") }
}
