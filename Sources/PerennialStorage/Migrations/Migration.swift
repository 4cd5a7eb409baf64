/// A step in the history of the schema, run once on a database, in a transaction of its own.
package struct Migration: Sendable, Hashable {
    /// Its place in history, from 1 upwards.
    package let number: Int
    package let name: String
    /// Statements of data definition that both engines understand, one each.
    package let statements: [String]

    package init(number: Int, name: String, statements: [String]) {
        self.number = number
        self.name = name
        self.statements = statements
    }
}
