import Perennial

/// The devices on which subscriptions were bought, by the position of each purchase. Renewals have no device of their own and
/// use that of the last purchase before them.
package enum RollUpDevicesTable {
    package struct Purchase: Hashable, Sendable {
        package var originalID: TransactionID
        package var position: Int64
        package var device: DeviceFamily

        package init(originalID: TransactionID, position: Int64, device: DeviceFamily) {
            self.originalID = originalID
            self.position = position
            self.device = device
        }
    }

    /// Subscriptions in one query, whose text is always the same.
    private static let idsPerQuery = 64

    private static let select = SQL(
        """
        SELECT original_id, position, device FROM roll_up_devices
        WHERE environment = $1 AND app = $2 AND generation = $3
        AND original_id IN (\((0..<idsPerQuery).map { "$\($0 + 4)" }.joined(separator: ", ")))
        """)
    private static let insertRows = BatchInsert(
        into: "roll_up_devices", ["environment", "app", "generation", "original_id", "position", "device"])

    /// Returns the purchases of these subscriptions.
    package static func purchases(
        of ids: [TransactionID], _ key: RollUpKey, on connection: any Connection
    ) throws -> [Purchase] {
        var (found, rest): ([Purchase], ArraySlice<TransactionID>) = ([], ids[...])
        while let last = rest.prefix(Self.idsPerQuery).last {
            let page = rest.prefix(Self.idsPerQuery)
            rest = rest.dropFirst(page.count)
            // The same ID fills the places that are left.
            let places = Array(page) + Array(repeating: last, count: Self.idsPerQuery - page.count)
            try connection.forEachRow(select, key.values + places.map { .integer($0.rawValue) }) { row in
                guard let device = DeviceFamily(rawValue: try row.text(2)) else { return }
                found.append(
                    Purchase(
                        originalID: TransactionID(rawValue: try row.integer(0)), position: try row.integer(1),
                        device: device))
            }
        }
        return found
    }

    package static func insert(_ purchases: [Purchase], _ key: RollUpKey, on connection: any Connection) throws {
        try insertRows.run(purchases, on: connection) { purchase, values in
            values += key.values
            values.append(.integer(purchase.originalID.rawValue))
            values.append(.integer(purchase.position))
            values.append(.text(purchase.device.rawValue))
        }
    }

    package static func erase(_ key: RollUpKey, on connection: any Connection) throws {
        try connection.send(
            "DELETE FROM roll_up_devices WHERE environment = $1 AND app = $2 AND generation = $3", key.values)
    }
}
