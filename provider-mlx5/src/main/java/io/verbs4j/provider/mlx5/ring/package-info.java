/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The queues that Java and the device share: writes work queue elements, reads completions, and rings doorbells. */
package io.verbs4j.provider.mlx5.ring;
