/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Memory that an array of work queues lies in. Source: {@code HBLDV_MEM_*}. */
public final class HblMemIds {
    /** Memory of this process, which posts. */
    public static final int HOST = 1;

    /** Memory of the device, whose engines post. */
    public static final int DEVICE = 2;

    private HblMemIds() {}
}
