import DocumentStore
import JobEngine

extension DocumentStore: DocumentPort {}
