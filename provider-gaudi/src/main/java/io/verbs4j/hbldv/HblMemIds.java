/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Where an array of work queues lies. Source: {@code HBLDV_MEM_*}. */
public final class HblMemIds {
    /** In memory of this process, which posts. */
    public static final int HOST = 1;

    /** In the device's, whose engines post. */
    public static final int DEVICE = 2;

    private HblMemIds() {}
}
