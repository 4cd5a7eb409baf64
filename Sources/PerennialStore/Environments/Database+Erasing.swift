import Perennial
import PerennialStorage

extension Database {
    /// Deletes most of an environment's contents in short transactions (``EnvironmentContents/slices``), and of its settings too if they
    /// are to go. If it ends early, the
    /// environment is partly emptied, and a repetition does the rest.
    ///
    /// - Throws: `StorageError`, `CancellationError`.
    func eraseInSlices(_ environment: StoreEnvironment.ID, withSettings: Bool = false) async throws {
        for slice in EnvironmentContents.slices + (withSettings ? EnvironmentContents.slicesOfSettings : []) {
            while try await write({ try EnvironmentContents.erase(slice, environment, on: $0) }) {
                try Task.checkCancellation()
            }
        }
    }
}
