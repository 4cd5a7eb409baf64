/// Runs reads one by one, each on a snapshot of its own.
struct SQLiteReads {
    let connection: SQLiteConnection

    func run(_ work: Work) {
        do {
            try connection.perform(.beginRead)
            defer { connection.rollBack() }
            try connection.run(work)()
        } catch {
            work.fail(error)
        }
    }
}
