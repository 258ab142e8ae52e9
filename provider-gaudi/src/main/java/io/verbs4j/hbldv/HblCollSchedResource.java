/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * Something that the scheduler has for collectives. Source: {@code struct hbldv_coll_sched_resource}.
 *
 * @param type what it is
 * @param id its number
 * @param size bytes
 * @param paOffs where in the page, in bytes
 * @param virtAddr address in this process
 */
public record HblCollSchedResource(int type, int id, long size, int paOffs, long virtAddr) {}
