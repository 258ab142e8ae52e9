/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Checks what the thread at the other end, and a device, see of a ring. */
package io.verbs4j.provider.mlx5.ring;
