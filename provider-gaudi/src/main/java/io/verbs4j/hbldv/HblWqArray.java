/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * An array of work queues of a port. Source: {@code struct hbldv_wq_array_attr}.
 *
 * @param wqs how many queues
 * @param wqes elements of each
 * @param memId where it lies, an {@link HblMemIds} value
 * @param granularity how long elements are, an {@link HblGranularities} value
 */
public record HblWqArray(int wqs, int wqes, int memId, int granularity) {}
