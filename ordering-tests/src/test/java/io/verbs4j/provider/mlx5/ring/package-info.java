/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What is seen of a ring by the thread at its other end, and by a device. */
package io.verbs4j.provider.mlx5.ring;
