import AppStoreFormats
import Perennial
import PerennialStorage

extension Store {
    /// Keeps, in the transaction that writes entries to the journal, how things stand behind them: a notification tells of
    /// the state at the moment of its event, however late it is sent. Apps that want no notifications cost nothing.
    ///
    /// - Parameters:
    ///   - last: The position of the last entry.
    ///   - subscription: After the change; `nil` where the entries are about something else.
    ///   - details: What goes with the first entry; the others follow from it.
    func noteStates(
        of entries: [JournalEntry], last: Int64, app: Int64, subscription: Subscription? = nil,
        details: NotificationDetails? = nil, on connection: any Connection
    ) throws {
        guard let entry = try catalog.entry(number: app, on: connection), entry.notified.contains(environment.id)
        else { return }
        for (offset, noted) in entries.enumerated() {
            let isFree = noted.productID.flatMap { entry.products[$0]?.type } == .free
            guard noted.kind.notification(isFree: isFree) != nil else { continue }
            let position = last - Int64(entries.count - 1 - offset)
            try JournalStatesTable.insert(
                try state(of: noted, subscription, entry.app, offset == 0 ? details : nil, on: connection),
                at: position,
                app: app, environment.id, on: connection)
            notificationSignal.note()
        }
    }

    /// Whether an app wants to be told what happens in this environment.
    func wantsNotifications(_ app: Int64, on connection: any Connection) throws -> Bool {
        try catalog.entry(number: app, on: connection)?.notified.contains(environment.id) == true
    }

    private func state(
        of entry: JournalEntry, _ subscription: Subscription?, _ app: App, _ details: NotificationDetails?,
        on connection: any Connection
    ) throws -> JournalStatesTable.State {
        var state = JournalStatesTable.State(details: try details?.json)
        if let id = entry.transactionID,
            let transaction = try TransactionsTable.transaction(id, app: app.appleID, environment.id, on: connection)
        {
            let payload = SignedTransactionContents.payload(
                transaction, app, environment: environment, signed: entry.at)
            state.transactionInfo = String(decoding: payload.encoded(), as: UTF8.self)
        }
        if let subscription {
            let payload = SignedRenewalContents.payload(
                subscription, app, environment: environment, signed: entry.at)
            state.renewalInfo = String(decoding: payload.encoded(), as: UTF8.self)
            state.status = subscription.status(at: entry.at).rawValue
        }
        return state
    }

    /// Writes to the journal what no purchase or subscription brings about, such as a test, for notifications to tell of it.
    ///
    /// - Returns: The entry's position.
    @discardableResult
    func announce(
        _ entry: JournalEntry, app: Int64, details: NotificationDetails? = nil, on connection: any Connection
    ) throws -> Int64 {
        let position = try JournalTable.append([entry], app: app, environment.id, on: connection)
        try noteStates(of: [entry], last: position, app: app, details: details, on: connection)
        return position
    }
}
