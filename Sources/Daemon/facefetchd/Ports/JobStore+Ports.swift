import JobEngine
import JobStore
import SourceEngine

extension JobStore: StorePort {}
extension JobStore: JobQueries {}
extension JobStore: EventHistory {}
extension JobStore: SourceQueries {}
