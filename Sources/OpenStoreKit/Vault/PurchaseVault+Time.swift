import Perennial
import Synchronization

/// The latest time by the store's clock that was read from a vault.
struct StoreTimeMark: Sendable {
    /// The answer of the store that the time counts from; `nil` before the first one.
    var confirmation: StoreConfirmation?
    var time: Instant
}

extension PurchaseVault {
    /// Time by the store's clock, as far as this device knows it.
    ///
    /// Counts on from the store's last answer by the device's clock. Never goes back before the store's next answer, also over
    /// launches: a device's clock that was set back extends nothing. The time is on disk up to ``confirmationInterval``.
    package var storeTime: Instant {
        let contents = contents
        let estimate = contents.storeTime(at: dependencies.now())
        let time = timeMark.withLock { mark in
            guard let known = mark, known.confirmation == contents.confirmation, known.time > estimate else {
                mark = StoreTimeMark(confirmation: contents.confirmation, time: estimate)
                return estimate
            }
            return known.time
        }
        note(time, in: contents)
        return time
    }

    /// Writes the time if much has passed since the last one in the file, unless another process writes: a reader doesn't wait. An empty
    /// vault has nothing that could end.
    private func note(_ time: Instant, in contents: VaultContents) {
        let noted = contents.latestTime ?? contents.confirmedAt ?? contents.transactions.last?.purchaseDate
        guard let noted, time - noted >= Self.confirmationInterval else { return }
        try? change(.optional) { storage in
            var patch = VaultPatch()
            // Unless the store has answered meanwhile.
            if storage.state.contents.confirmation == contents.confirmation {
                patch.confirmation = contents.confirmation
                patch.latestTime = time
            }
            return (patch, ())
        }
    }
}
