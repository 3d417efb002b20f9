import ControlAPI

/// A finding about one thing that work depends on.
struct Finding: APIObject {
    /// A verdict.
    enum Verdict: String, CaseIterable, Sendable {
        /// As it should be.
        case good
        /// Worth knowing; nothing has to be done.
        case notice
        /// Something has to be done.
        case trouble
    }

    /// Its subject, in a word.
    var about: String
    /// The verdict.
    var verdict: APIWord<Verdict>
    /// A sentence for people.
    var text: String
    /// The advice; nil where nothing is to be done.
    var advice: String?

    init(_ about: String, _ verdict: Verdict, _ text: String, advice: String? = nil) {
        self.about = about
        self.verdict = .known(verdict)
        self.text = text
        self.advice = advice
    }

    static let shape = Shape<Finding>("Finding", CodingKeys.self) {
        $0.member(.about, \.about)
        $0.member(.verdict, \.verdict)
        $0.member(.text, \.text)
        $0.member(.advice, \.advice)
    }
}

extension Finding {
    /// The line for people, and a second one with what to do.
    var lines: [String] {
        let mark =
            switch verdict {
            case .known(.good): "ok"
            case .known(.notice): "note"
            case .known(.trouble), .unknown: "PROBLEM"
            }
        let first = "\(mark.padded(to: 9))\(about.padded(to: 11))\(text.endedSentence)"
        return [first] + (advice.map { ["".padded(to: 20) + $0.endedSentence] } ?? [])
    }
}
