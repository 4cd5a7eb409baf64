extension StorageError {
    /// True if the same request may succeed in a moment without an operator: the engine is busy, lost, failing over, or its disk
    /// is full. Protocols answer so that clients repeat the request.
    ///
    /// Writes that have stopped after a failure of SQLite's disk stay stopped until the process is started again.
    package var isTemporary: Bool {
        switch code {
        case .busy, .overloaded, .serialization, .connectionLost, .unresponsive, .commitUnknown, .readOnly, .resources,
            .cannotOpen, .closed:
            true
        case .malformedLocation, .statement, .invalidText, .constraint, .wrongType, .writesStopped, .corrupt,
            .newerSchema, .earlierNodes, .differentSchema:
            false
        }
    }
}
