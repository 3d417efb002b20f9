#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

// Swift can't call variadic functions: here is one function for each type of
// argument. `long` is never `int`: libcurl reads exactly the type it names.

/// The type of CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*CCurlReceive)(char *_Nullable bytes, size_t size, size_t count,
                               void *_Nullable context);

/// The type of CURLOPT_READFUNCTION.
typedef size_t (*CCurlSend)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

/// The type of CURLOPT_SEEKFUNCTION; it returns CURL_SEEKFUNC_OK or CURL_SEEKFUNC_FAIL.
typedef int (*CCurlSeek)(void *_Nullable context, curl_off_t offset, int origin);

/// The type of CURLOPT_OPENSOCKETFUNCTION.
typedef curl_socket_t (*CCurlOpenSocket)(void *_Nullable context, curlsocktype purpose,
                                         struct curl_sockaddr *_Nullable address);

/// The type of CURLOPT_RESOLVER_START_FUNCTION; anything but 0 gives the lookup up.
typedef int (*CCurlResolverStart)(void *_Nullable state, void *_Nullable reserved, void *_Nullable context);

/// The type of CURLOPT_PREREQFUNCTION; it returns CURL_PREREQFUNC_OK or CURL_PREREQFUNC_ABORT.
typedef int (*CCurlBeforeRequest)(void *_Nullable context, char *_Nullable remote_address,
                                  char *_Nullable local_address, int remote_port, int local_port);

/// The type of CURLOPT_XFERINFOFUNCTION; anything but 0 gives the transfer up.
typedef int (*CCurlProgress)(void *_Nullable context, curl_off_t download_total, curl_off_t downloaded,
                             curl_off_t upload_total, curl_off_t uploaded);

/// Sets an option that takes a long.
static inline CURLcode CCurl_easy_setopt_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets an option that takes a curl_off_t: the names that end in _LARGE.
static inline CURLcode CCurl_easy_setopt_offset(CURL *_Nonnull easy, CURLoption option,
                                                curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets an option that takes a string, which libcurl copies (except CURLOPT_POSTFIELDS).
static inline CURLcode CCurl_easy_setopt_string(CURL *_Nonnull easy, CURLoption option,
                                                const char *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets an option that takes a pointer to anything, such as CURLOPT_WRITEDATA.
static inline CURLcode CCurl_easy_setopt_pointer(CURL *_Nonnull easy, CURLoption option,
                                                 void *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets an option that takes a list, such as CURLOPT_HTTPHEADER; libcurl keeps the pointer.
static inline CURLcode CCurl_easy_setopt_list(CURL *_Nonnull easy, CURLoption option,
                                              struct curl_slist *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
static inline CURLcode CCurl_easy_setopt_receive(CURL *_Nonnull easy, CURLoption option,
                                                 CCurlReceive _Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets CURLOPT_READFUNCTION.
static inline CURLcode CCurl_easy_setopt_send(CURL *_Nonnull easy, CCurlSend _Nullable value) {
    return (curl_easy_setopt)(easy, CURLOPT_READFUNCTION, value);
}

/// Sets CURLOPT_SEEKFUNCTION.
static inline CURLcode CCurl_easy_setopt_seek(CURL *_Nonnull easy, CCurlSeek _Nullable value) {
    return (curl_easy_setopt)(easy, CURLOPT_SEEKFUNCTION, value);
}

/// Sets CURLOPT_OPENSOCKETFUNCTION.
static inline CURLcode CCurl_easy_setopt_open_socket(CURL *_Nonnull easy,
                                                     CCurlOpenSocket _Nullable value) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// Sets CURLOPT_RESOLVER_START_FUNCTION (libcurl 7.59).
static inline CURLcode CCurl_easy_setopt_resolver_start(CURL *_Nonnull easy,
                                                        CCurlResolverStart _Nullable value) {
    return (curl_easy_setopt)(easy, CURLOPT_RESOLVER_START_FUNCTION, value);
}

/// Sets CURLOPT_PREREQFUNCTION (libcurl 7.80).
static inline CURLcode CCurl_easy_setopt_before_request(CURL *_Nonnull easy,
                                                        CCurlBeforeRequest _Nullable value) {
    return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, value);
}

/// Sets CURLOPT_XFERINFOFUNCTION.
static inline CURLcode CCurl_easy_setopt_progress(CURL *_Nonnull easy, CCurlProgress _Nullable value) {
    return (curl_easy_setopt)(easy, CURLOPT_XFERINFOFUNCTION, value);
}

/// Asks for what is a long: CURLINFO_RESPONSE_CODE and the like.
static inline CURLcode CCurl_easy_getinfo_long(CURL *_Nonnull easy, CURLINFO info,
                                               long *_Nonnull value) {
    return (curl_easy_getinfo)(easy, info, value);
}

/// Asks for what is a curl_off_t: the names that end in _T.
static inline CURLcode CCurl_easy_getinfo_offset(CURL *_Nonnull easy, CURLINFO info,
                                                 curl_off_t *_Nonnull value) {
    return (curl_easy_getinfo)(easy, info, value);
}

/// Asks for what is a list, such as CURLINFO_COOKIELIST; it belongs to the caller.
static inline CURLcode CCurl_easy_getinfo_list(CURL *_Nonnull easy, CURLINFO info,
                                               struct curl_slist *_Nullable *_Nonnull value) {
    return (curl_easy_getinfo)(easy, info, value);
}

/// Asks for what was set as CURLOPT_PRIVATE.
static inline void *_Nullable CCurl_easy_private(CURL *_Nonnull easy) {
    char *value = NULL;
    (void)(curl_easy_getinfo)(easy, CURLINFO_PRIVATE, &value);
    return value;
}

/// Sets an option of a multi handle that takes a long.
static inline CURLMcode CCurl_multi_setopt_long(CURLM *_Nonnull multi, CURLMoption option,
                                                long value) {
    return (curl_multi_setopt)(multi, option, value);
}

/// Adds a kind of data to what handles with this share have in common.
static inline CURLSHcode CCurl_share_data(CURLSH *_Nonnull share, curl_lock_data data) {
    return (curl_share_setopt)(share, CURLSHOPT_SHARE, data);
}

/// Returns the file of authorities that libcurl trusts by itself; NULL if it was built without one.
static inline const char *_Nullable CCurl_default_authorities(void) {
    return curl_version_info(CURLVERSION_NOW)->cainfo;
}

/// Returns the result of a finished transfer, which the message itself holds in a union.
static inline CURLcode CCurl_message_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}

#endif
