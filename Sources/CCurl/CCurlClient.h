#ifndef CCURL_CLIENT_H
#define CCURL_CLIENT_H
#include <curl/curl.h>

// What the command-line client needs of libcurl's variadic calls: a function
// for each type of argument, since Swift can't call variadic ones and a wrong
// type (int for long) would go unseen.

/// Receives `size * count` bytes; anything but that number as the answer ends the transfer.
typedef size_t (*CCurlClient_write_callback)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

/// Sets an option that takes a long.
static inline CURLcode CCurlClient_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets an option that takes a curl_off_t.
static inline CURLcode CCurlClient_set_offset(CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets an option that takes a string, which libcurl copies; NULL clears it.
static inline CURLcode CCurlClient_set_string(
    CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets an option that takes a pointer, which libcurl keeps.
static inline CURLcode CCurlClient_set_pointer(
    CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets an option that takes a list, which libcurl keeps.
static inline CURLcode CCurlClient_set_list(
    CURL *_Nonnull handle, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets who receives the body.
static inline CURLcode CCurlClient_set_writer(
    CURL *_Nonnull handle, CCurlClient_write_callback _Nonnull callback, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callback);
    return code ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

/// Reads an information that is a long.
static inline CURLcode CCurlClient_get_long(CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}
#endif
