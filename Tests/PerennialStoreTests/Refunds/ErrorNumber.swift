import AppStoreFormats

/// Returns the number of the error that a call throws; `nil` if it succeeds, -1 for another error.
func number(_ body: () async throws -> Void) async -> Int64? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? ServerAPIError)?.code.rawValue ?? -1
    }
}
