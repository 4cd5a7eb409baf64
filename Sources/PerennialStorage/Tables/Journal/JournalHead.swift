import Perennial

/// Where an app's journal ends, known to the transaction that moved its end: nobody else moves it before that transaction is
/// over, so that the purchases that share one needn't look again.
package struct JournalHead: Sendable {
    let environment: StoreEnvironment.ID
    let app: Int64
    let position: Int64
    /// Of the connection that moved it: another one tells that the transaction is over, or was undone in part.
    let reading: ReadingNumber

    func position(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) -> Int64? {
        guard self.app == app, self.environment == environment, reading == connection.readingNumber else { return nil }
        return position
    }
}
