/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Devices that rdma-core drives, through libibverbs.so.1: the provider for those without a provider of their own, and
 * the base classes of the other providers.
 */
package io.verbs4j.rdmacore;
