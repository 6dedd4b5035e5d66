/** The few sentences of the page itself, in the languages of the game. */

const LANGUAGES = ["en", "es", "pt-BR", "de", "id"];
const SENTENCES = {
  lost: [
    "Connection lost. Reconnecting …",
    "Se ha perdido la conexión. Conectando de nuevo…",
    "A conexão caiu. Conectando de novo…",
    "Verbindung verloren. Sie wird wieder aufgebaut …",
    "Sambungan terputus. Menyambung lagi …",
  ],
  invite: [
    "This host asks for an invitation code.",
    "Este anfitrión pide un código de invitación.",
    "Este anfitrião pede um código de convite.",
    "Dieser Gastgeber verlangt einen Einladungscode.",
    "Tuan rumah ini meminta kode undangan.",
  ],
  enter: ["Come in", "Entrar", "Entrar", "Eintreten", "Masuk"],
  again: ["Come in again", "Volver a entrar", "Entrar de novo", "Wieder eintreten", "Masuk lagi"],
  settings: ["Settings", "Ajustes", "Ajustes", "Einstellungen", "Pengaturan"],
  sound: [
    "Sound on your turn",
    "Sonido en tu turno",
    "Som na sua vez",
    "Ton, wenn du dran bist",
    "Bunyi saat giliranmu",
  ],
  notify: [
    "Notification on your turn",
    "Aviso en tu turno",
    "Aviso na sua vez",
    "Mitteilung, wenn du dran bist",
    "Pemberitahuan saat giliranmu",
  ],
  bell: ["Bell of the game", "Timbre del juego", "Campainha do jogo", "Klingel des Spiels", "Bel permainan"],
  size: ["Text size", "Tamaño del texto", "Tamanho do texto", "Textgröße", "Ukuran teks"],
  share: [
    "Send a friend this link",
    "Enviar este enlace a un amigo",
    "Enviar este link a um amigo",
    "Diesen Link jemandem schicken",
    "Kirim tautan ini ke teman",
  ],
  copied: ["It is copied.", "Está copiado.", "Está copiado.", "Er ist kopiert.", "Sudah disalin."],
  close: ["Close", "Cerrar", "Fechar", "Schließen", "Tutup"],
  turn: ["It is your turn.", "Es tu turno.", "É a sua vez.", "Du bist dran.", "Giliranmu."],
  refused: [
    "This browser shows no notifications here.",
    "Este navegador no muestra avisos aquí.",
    "Este navegador não mostra avisos aqui.",
    "Dieser Browser zeigt hier keine Mitteilungen.",
    "Peramban ini tidak menampilkan pemberitahuan di sini.",
  ],
  plain: [
    "Play in plain text, for screen readers",
    "Jugar en texto, para lectores de pantalla",
    "Jogar em texto, para leitores de tela",
    "In reinem Text spielen, für Screenreader",
    "Bermain dalam teks, untuk pembaca layar",
  ],
  keys: ["Keys of the game", "Teclas del juego", "Teclas do jogo", "Tasten des Spiels", "Tombol permainan"],
  write: ["Write", "Escribir", "Escrever", "Schreiben", "Tulis"],
  send: ["Send", "Enviar", "Enviar", "Senden", "Kirim"],
};

const wanted = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]);
const known = wanted.map((tag) => LANGUAGES.findIndex((language) => language.split("-")[0] === tag));
const column = Math.max(0, known.find((place) => place >= 0) ?? 0);

/** @typedef {keyof typeof SENTENCES} Sentence */

/** The language of the page, as a tag. */
export const language = LANGUAGES[column] ?? "en";

/**
 * A sentence in the language of the page.
 * @param {Sentence} name
 */
export const say = (name) => SENTENCES[name][column] ?? "";
