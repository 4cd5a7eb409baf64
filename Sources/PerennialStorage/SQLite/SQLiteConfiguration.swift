import GRDB

/// How every SQLite connection of ours is set up.
enum SQLiteConfiguration {
    /// Kibibytes of pages that a connection keeps.
    private static let cacheKibibytes = 16_384

    /// Memory mapping stays off: a failing disk is an error when it is read, and a signal when it is mapped.
    static func make(_ options: DatabaseOptions) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(options.lockTimeoutMilliseconds) / 1000)
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = options.readers
        configuration.persistentReadOnlyConnections = true
        configuration.prepareDatabase { connection in
            try connection.execute(sql: "PRAGMA temp_store = MEMORY")
            try connection.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
        }
        return configuration
    }
}
