import Perennial
import PerennialStorage

extension RollUps {
    /// Reads consecutive entries with their postings, transactions and facts: a few statements, however many entries there are.
    ///
    /// - Parameters:
    ///   - position: The position before the first entry.
    ///   - last: The last position to read.
    ///   - limit: The most entries.
    func batch(
        after position: Int64, through last: Int64 = .max, limit: Int, _ key: RollUpKey, _ app: App,
        on connection: any Connection
    ) throws -> RollUpBatch {
        // Positions have no gaps.
        let count = Int(clamping: min(Int64(limit), max(last.clampedAdding(-position), 0)))
        let found =
            count == 0
            ? []
            : try JournalTable.entriesWithoutPostings(
                after: position, limit: count, app: key.app, key.environment, on: connection)
        guard let end = found.last?.position else { return RollUpBatch(key: key, app: app, entries: []) }
        let transactions = try JournalTable.transactions(
            after: position, through: end, app: key.app, key.environment, on: connection)
        let postings = try JournalTable.postings(
            after: position, through: end, app: key.app, key.environment, on: connection)
        var next = postings.startIndex
        var entries: [RollUpBatch.Entry] = []
        entries.reserveCapacity(found.count)
        for (position, journaled) in found {
            var entry = RollUpBatch.Entry(
                position: position, entry: journaled,
                transaction: journaled.kind == .finished
                    ? nil : journaled.transactionID.flatMap { transactions[$0]?.transaction })
            while next < postings.endIndex, postings[next].position == position {
                entry.entry.postings.append(postings[next].posting)
                next += 1
            }
            entries.append(entry)
        }
        var batch = RollUpBatch(key: key, app: app, entries: entries)
        try addSales(to: &batch, transactions.mapValues(\.sale), on: connection)
        try addDevices(to: &batch, transactions.mapValues(\.sale), on: connection)
        return batch
    }

    /// Adds the sales to which refunds and reversals refer.
    private func addSales(
        to batch: inout RollUpBatch, _ positions: [TransactionID: Int64], on connection: any Connection
    ) throws {
        let referring = batch.entries.indices.filter { batch.entries[$0].entry.kind.refersToSale }
        guard !referring.isEmpty else { return }
        func position(_ index: Int) -> Int64? { batch.entries[index].transaction.flatMap { positions[$0.id] } }
        let sales = try JournalTable.entries(
            at: referring.compactMap(position), app: batch.key.app, batch.key.environment, on: connection)
        for index in referring {
            guard let sale = position(index).flatMap({ sales[$0] }) else { continue }
            batch.entries[index].sale = RollUpBatch.Sale(at: sale.at, facts: sale.facts)
        }
    }

    /// Adds the device of the subscription's last purchase to renewals without a device, and to the sales that refunds of such
    /// renewals refer to.
    private func addDevices(
        to batch: inout RollUpBatch, _ sales: [TransactionID: Int64], on connection: any Connection
    ) throws {
        let renewals = batch.entries.indices.filter { batch.entries[$0].lacksDevice }
        guard !renewals.isEmpty else { return }
        let ids = Set(renewals.compactMap { batch.entries[$0].transaction?.originalID })
        var purchases = try RollUpDevicesTable.purchases(of: ids.sorted(), batch.key, on: connection)
        // Those of the batch itself aren't in the table before it is written.
        purchases += batch.entries.compactMap(\.devicePurchase).filter { ids.contains($0.originalID) }
        let bySubscription = Dictionary(grouping: purchases, by: \.originalID)
        for index in renewals {
            let entry = batch.entries[index]
            guard let transaction = entry.transaction else { continue }
            let refersToSale = entry.entry.kind.refersToSale
            let position = refersToSale ? sales[transaction.id] ?? entry.position : entry.position
            let last = bySubscription[transaction.originalID]?.filter { $0.position < position }
                .max { $0.position < $1.position }
            guard let last else { continue }
            if refersToSale {
                batch.entries[index].sale?.facts = (entry.sale?.facts ?? SaleFacts()).on(last.device)
            } else {
                batch.entries[index].entry.facts = (entry.entry.facts ?? SaleFacts()).on(last.device)
            }
        }
    }
}

extension SaleFacts {
    fileprivate func on(_ device: DeviceFamily) -> SaleFacts {
        var facts = self
        facts.device = device
        return facts
    }
}

extension RollUpBatch.Entry {
    /// True for a renewal without a device of its own, and for the refund of one.
    fileprivate var lacksDevice: Bool {
        guard let transaction, transaction.reason == .renewal, transaction.ownership == .purchased else { return false }
        switch entry.kind.salesMovement {
        case .sale?: return entry.facts?.device == nil
        case .refund?, .reversal?: return sale != nil && sale?.facts?.device == nil
        case .restored?, nil: return false
        }
    }

    /// The device on which a subscription was bought by this entry; `nil` for other entries.
    var devicePurchase: RollUpDevicesTable.Purchase? {
        guard let transaction, transaction.type == .autoRenewable, transaction.ownership == .purchased,
            entry.kind.salesMovement == .sale, let device = entry.facts?.device
        else { return nil }
        return RollUpDevicesTable.Purchase(
            originalID: transaction.originalID, position: position, device: device)
    }
}
