import ControlAPI
import JobCore
import JobEngine

// The words of the API for what JobCore and JobEngine say in their own: one place each, which the compiler
// holds complete.

extension JobJSON.State {
    /// A state in the words of the API.
    init(_ state: JobState) {
        switch state {
        case .queued: self = .queued
        case .downloading: self = .downloading
        case .stored: self = .stored
        case .detecting: self = .detecting
        case .done: self = .done
        case .waiting: self = .waiting
        case .paused: self = .paused
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

extension JobState {
    /// The state that a text of the API names; nil where there is none.
    init?(inAPI text: String) {
        guard let state = Self.allCases.first(where: { JobJSON.State($0).rawValue == text }) else {
            return nil
        }
        self = state
    }
}

extension JobJSON.Ending {
    /// What a job comes to, in the words of the API.
    init(_ ending: JobEnding) {
        switch ending {
        case .stored: self = .stored
        case .done: self = .done
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

extension JobEnding {
    /// The ending that a text of the API names; nil where there is none.
    init?(inAPI text: String) {
        guard let ending = Self.allCases.first(where: { JobJSON.Ending($0).rawValue == text }) else {
            return nil
        }
        self = ending
    }
}

extension DetectionJSON.Outcome {
    /// What came of a look, in the words of the API.
    init(_ outcome: DetectionOutcome) {
        switch outcome {
        case .counted: self = .counted
        case .unreadable: self = .unreadable
        case .crashed: self = .crashed
        case .timedOut: self = .timedOut
        case .skipped: self = .skipped
        }
    }
}

extension StatusJSON.Hold.Kind {
    /// What holds work up, in the words of the API.
    init(_ kind: EngineHold.Kind) {
        switch kind {
        case .disk: self = .disk
        }
    }
}
