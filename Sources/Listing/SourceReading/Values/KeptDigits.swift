import CPages

/// The digits of numbers as a page has them, which libjq keeps from 1.7 on.
///
/// It writes them again in its own way, as in `1E+16` where 1.6 writes `1e+16`. Without them it writes numbers as
/// 1.6 does, which ``NumberSpelling`` tells.
enum KeptDigits {
    /// True where libjq keeps digits.
    static let areKept = Value(owning: jv_parse("1E+3")).json != "1000"

    /// The depth up to which values are gone through; libjq 1.6 reads none that are deeper.
    private static let depth = 256

    /// Definitions for the beginning of a program, after which also numbers in texts that it reads have no digits
    /// of their own.
    static let forgetting =
        areKept
        ? "def __plain: if type == \"number\" then . * 1 elif type == \"array\" then map(__plain) "
            + "elif type == \"object\" then map_values(__plain) else . end; "
            + "def __fromjson: fromjson; def fromjson: __fromjson | __plain; "
            + "def __tonumber: tonumber; def tonumber: __tonumber * 1; "
        : ""

    /// Returns a value without such digits.
    static func forgotten(in value: Value) -> Value { Value(owning: forgotten(in: value.copy(), 0)) }

    /// Consumes a value, and returns it without such digits.
    private static func forgotten(in value: jv, _ level: Int) -> jv {
        guard level <= depth else { return value }
        var result = value
        switch jv_get_kind(value) {
        case JV_KIND_NUMBER:
            result = jv_number(jv_number_value(value))
            jv_free(value)
        case JV_KIND_ARRAY:
            for index in 0..<jv_array_length(jv_copy(value)) {
                let element = jv_array_get(jv_copy(result), index)
                result = jv_array_set(result, index, forgotten(in: element, level + 1))
            }
        case JV_KIND_OBJECT:
            let members = jv_copy(value)
            var place = jv_object_iter(members)
            while jv_object_iter_valid(members, place) != 0 {
                let member = forgotten(in: jv_object_iter_value(members, place), level + 1)
                result = jv_object_set(result, jv_object_iter_key(members, place), member)
                place = jv_object_iter_next(members, place)
            }
            jv_free(members)
        default: break
        }
        return result
    }
}
