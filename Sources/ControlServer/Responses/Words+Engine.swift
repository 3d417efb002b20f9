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

extension EventJSON.Kind {
    /// A kind of event in the words of the API.
    init(_ kind: JobEvent.Kind) {
        switch kind {
        case .started: self = .started
        case .progressed: self = .progressed
        case .received: self = .received
        case .resumed: self = .resumed
        case .restarted: self = .restarted
        case .finished: self = .finished
        case .stored: self = .stored
        case .waiting: self = .waiting
        case .failed: self = .failed
        case .paused: self = .paused
        case .continued: self = .continued
        case .cancelled: self = .cancelled
        case .detectionStarted: self = .detectionStarted
        case .detectionFinished: self = .detectionFinished
        case .detectionDeferred: self = .detectionDeferred
        case .detectionFailed: self = .detectionFailed
        }
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

extension DetectionJSON.Engine {
    /// An engine in the words of the API.
    init(_ engine: DetectionEngine) {
        switch engine {
        case .haar: self = .haar
        case .yunet: self = .yunet
        }
    }
}

extension DetectionEngine {
    /// The engine that a text of the API names; nil where there is none.
    init?(inAPI text: String) {
        guard let engine = Self.allCases.first(where: { DetectionJSON.Engine($0).rawValue == text }) else {
            return nil
        }
        self = engine
    }
}
