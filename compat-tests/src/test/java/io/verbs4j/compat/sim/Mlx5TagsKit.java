/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

/** A simulated ConnectX of InfiniBand, by libmlx5's path: there it matches tags. Runs under device-sim/run. */
class Mlx5TagsKit extends Mlx5Kit {
    @Override
    protected int gidIndex() {
        return 0;
    }

    @Override
    protected boolean hasEthernet() {
        return false;
    }

    @Override
    protected boolean hasTagMatching() {
        return true;
    }

    @Override
    protected boolean hasTagRendezvous() {
        return true;
    }
}
