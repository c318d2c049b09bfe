### What would make each fault right that `etalon review` finds, by their codes. The English ones are those of the faults themselves.

advice-smaller-than-memory = Contournez le cache de pages (O_DIRECT), ou prenez un fichier d’au moins deux fois la mémoire.
advice-faster-than-device = Cherchez ce qui a été mesuré : le plus souvent le cache de pages, ou celui d’un périphérique.
advice-no-fsync = Comptez le fsync : conv=fsync avec dd, -e avec iozone, end_fsync=1 avec fio.
advice-wrong-rate = Copiez la sortie du programme en entier ; recalculez le débit à partir des octets et des secondes.
advice-wrong-base = Nommez la base : (nouveau - ancien) / ancien.
advice-wrong-mean = Recalculez-la à partir des passages, avec un programme.
advice-mixed-settings = Répétez chaque réglage, et prenez la moyenne et l’écart type de ses propres passages.
advice-repeated-figure = Vérifiez les deux résultats : l’un a sans doute été copié de l’autre.
advice-winner-within-noise = Répétez plus souvent, et ne désignez un vainqueur que si les intervalles des moyennes sont disjoints.
advice-wild-runs = Cherchez pourquoi ils diffèrent ; montrez chaque passage, et la médiane avec son intervalle.
advice-one-run = Répétez chaque mesure au moins six fois ; un seul passage ne dit rien de sa variation.
advice-no-spread = Dites à côté de chaque moyenne de combien les passages varient : écart type ou intervalle, et leur nombre.
advice-share-of-total = Donnez chaque valeur en rapport à une base nommée, par exemple la première ligne.
advice-unlike-rows = Mesurez les deux avec la même taille, ou dites à côté de chacune quelle taille elle a.
advice-wrong-size = Écrivez les tailles de bloc avec leur unité (bs=16K) : une faute de frappe s’y voit.
advice-wrong-unit = Écrivez KiB : -r d’iozone et ses colonnes comptent 1024 octets.
advice-idle-half = Dites qu’un seul disque a été mesuré, ou prenez plusieurs flux pour que les deux travaillent.
advice-other-command = Tirez la description de la commande : pour fdtree, -l donne les niveaux, -d les répertoires par niveau, -f les fichiers par répertoire.
advice-wrong-place = Un disque compte depuis le bord : les premiers secteurs sont à l’extérieur et sont les plus rapides.
advice-no-trim = Faites un TRIM (fstrim, blkdiscard) et mesurez à nouveau, avant et après.
advice-no-lvm = Décrivez chaque couche, du montage jusqu’aux disques (lsblk les montre).
advice-no-description = Nommez le disque, la mémoire, le noyau et le système de fichiers : sans eux, personne ne peut refaire ni situer les valeurs.
