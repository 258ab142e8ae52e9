/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.nio.file.Path;

/**
 * A combination with a release of rdma-core: one more party, below the provider.
 *
 * @param cell the Java parties
 * @param binding the jar of verbs-rdma-core
 * @param release the release whose library and driver are loaded
 */
record NativeCell(Cell cell, Path binding, NativeRelease release) {
    /** {@return the levels of the Java parties, in short} */
    String level() {
        return "app " + cell.app().name() + ", header " + cell.header().name() + ", library "
                + cell.library().name();
    }

    @Override
    public String toString() {
        return cell + ", " + release;
    }
}
