/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Input attributes of {@link Context#queryDeviceEx(QueryDeviceExInput)}. None is defined yet: the mask is empty.
 *
 * <p>Since level 3. Source: {@code struct ibv_query_device_ex_input}, {@code ibv_query_device_ex(3)}. Not thread-safe.
 */
public final class QueryDeviceExInput extends InputAttr {
    /** Creates an instance whose masks are empty. */
    public QueryDeviceExInput() {}
}
