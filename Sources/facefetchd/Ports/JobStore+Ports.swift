import JobEngine
import JobStore

extension JobStore: StorePort {}
extension JobStore: JobQueries {}
extension JobStore: EventHistory {}
