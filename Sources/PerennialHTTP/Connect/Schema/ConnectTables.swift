/// The resource types and operations of the App Store Connect API 4.4.1 that concern a store, as facts in tables.
///
/// A block describes a type. Its first line has the type's name and the version in its path. Where two versions share a
/// JSON type, the other one's name has a suffix (`inAppPurchaseLocalizations.v2`). Then come, each on its line:
///
/// * attributes: name, kind, uses. A kind is `text`, `integer`, `boolean`, `date`, `dateTime`, `object`, the name of an
///   enumeration or an object, or one of these in brackets for a list.
/// * relationships: name, target, uses. A target is `>type` (to one), `*type` (to many) or `*-` where it is unknown.
///   `links`: it has a path of its own; `data`: it can be included.
/// * operations: method, path below the type's (`-` for none), the API's version that brought it, then `deprecated`, the
///   verdict (`should`, `refuse`; served otherwise), `filter=`, `sort=` and `exists=`. A filter with `!` is required.
///
/// Uses of a member in requests: `post`, `patch`, and `inline` for resources that another's request creates; `!` if it is
/// required there, `+` if related resources may be created inline. `write`: answers don't have it.
enum ConnectTables {
    static let types = [apps, inAppPurchases, subscriptions, groups, offers, review, team, reports]
}
